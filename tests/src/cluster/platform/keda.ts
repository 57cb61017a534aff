import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goModuleFolder, kedaModule, type Log } from '@stechuhr/local-infra';
import type { Kubernetes } from './kubernetes.js';
import type { Platform } from './platform.js';

/** Of its manifests, and what the chart's network policy takes its namespace to be. */
const NAMESPACE = 'keda';
const OPERATOR = 'keda-operator';
const ADAPTER = 'keda-metrics-apiserver';
const API = 'v1beta1.external.metrics.k8s.io';
const VERSION = kedaModule.version.slice(1);
const IMAGES = { [OPERATOR]: 'ghcr.io/kedacore/keda', [ADAPTER]: 'ghcr.io/kedacore/keda-metrics-apiserver' } as const;
const rbac = 'rbac.authorization.k8s.io';

/** Its operator makes certificates when it starts, and starts again when it has them; the adapter waits for them. */
const STARTS = '300s';
const STARTS_MS = 310_000;

/**
 * Gives the cluster what scales the worker, and returns how to take it back. A cluster that has it keeps its own.
 * It is what KEDA publishes without its admission webhooks, but for what {@link overlay} says.
 */
export async function withKeda({ kube, cluster, log }: Pick<Platform, 'kube' | 'cluster' | 'log'>): Promise<() => Promise<void>> {
  const marks = ['crd/scaledobjects.keda.sh', `apiservice/${API}`, `namespace/${NAMESPACE}`];
  const found = (await kube.run(['get', ...marks, '--ignore-not-found', '--output', 'name'])).trim();
  if (found.includes('scaledobjects')) return async () => undefined;
  if (found !== '') throw new Error(`KEDA cannot be installed, since there is something else in its place: ${found}`);
  await cluster.provideProgram(`${IMAGES[OPERATOR]}:${VERSION}`, 'keda', '/keda');
  await cluster.provideProgram(`${IMAGES[ADAPTER]}:${VERSION}`, 'keda-adapter', '/keda-adapter');
  const folder = await manifests(overlay(kube.namespace, cluster.namesCallers), log);
  // Its objects name their own namespaces, which kubectl refuses beside another.
  const anywhere = kube.in('');
  const takeBack = async (): Promise<void> => {
    try {
      await withoutScaledObjects(kube);
      await anywhere.run(['delete', '--kustomize', folder, '--ignore-not-found', '--wait']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  try {
    // Definitions of this size do not fit into the annotation that kubectl otherwise keeps of them.
    await anywhere.run(['apply', '--server-side', '--kustomize', folder]);
    for (const name of [OPERATOR, ADAPTER]) {
      await kube.in(NAMESPACE).run(['rollout', 'status', `deployment/${name}`, '--timeout', STARTS], STARTS_MS);
    }
    await kube.run(['wait', '--for=condition=Available', `apiservice/${API}`, '--timeout', STARTS], STARTS_MS);
  } catch (error) {
    await takeBack();
    throw error;
  }
  return takeBack;
}

/** A folder of KEDA's own manifests with what is laid over them, for kustomize, which reads nothing outside of it. */
async function manifests(files: Readonly<Record<string, object>>, log: Log): Promise<string> {
  const published = await goModuleFolder(kedaModule, 'config', log);
  const folder = mkdtempSync(join(tmpdir(), 'stechuhr-keda-'));
  cpSync(published, join(folder, 'config'), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));
  return folder;
}

/** Only KEDA takes its finalizer from an object: one that does not act any more would keep it, and the definition, for ever. */
async function withoutScaledObjects(kube: Kubernetes): Promise<void> {
  const kind = 'scaledobjects.keda.sh';
  const isDefined = (await kube.run(['get', 'crd', kind, '--ignore-not-found', '--output', 'name'])).trim() !== '';
  if (!isDefined) return;
  await kube.run(['delete', kind, '--all', '--wait', '--timeout', '60s']).catch(async () => {
    for (const { metadata } of await kube.list(kind)) {
      await kube.run(['patch', kind, metadata.name, '--type', 'merge', '--patch', JSON.stringify({ metadata: { finalizers: null } })]);
    }
  });
}

/**
 * What is laid over KEDA's `config/minimal`, by file name: images of the version, requests that the node has room for, and a user, which an image
 * of the program alone does not name. It watches the namespace of the release alone, and has its rights there only.
 */
function overlay(watched: string, namesCallers: boolean): Readonly<Record<string, object>> {
  const images = Object.values(IMAGES).map((name) => ({ name, newTag: VERSION }));
  const everywhere = { apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata: { name: OPERATOR } };
  const alone = { op: 'add', path: '/spec/template/spec/containers/0/args/-', value: '--enable-webhook-patching=false' };
  const patches = [
    { patch: JSON.stringify(deployment(OPERATOR, watched)) },
    { patch: JSON.stringify(deployment(ADAPTER, watched)) },
    { patch: JSON.stringify([alone]), target: { kind: 'Deployment', name: OPERATOR } },
    { patch: JSON.stringify({ ...everywhere, $patch: 'delete' }) },
  ];
  const items = [...rightsIn(watched), ...(namesCallers ? [] : toldToAnybody)];
  return {
    'rights.json': { apiVersion: 'v1', kind: 'List', items },
    'kustomization.yaml': {
      ...{ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' },
      ...{ resources: ['config/minimal', 'rights.json'], images, patches },
    },
  };
}

function deployment(name: string, watched: string): object {
  const container = {
    ...{ name, imagePullPolicy: 'IfNotPresent', resources: { requests: { cpu: '5m', memory: '64Mi' } } },
    env: [{ name: 'WATCH_NAMESPACE', value: watched }],
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: NAMESPACE },
    spec: { template: { spec: { securityContext: { runAsUser: 65532 }, containers: [container] } } },
  };
}

const toOperator = (kind: string, name: string, role: string, namespace?: string): object => ({
  ...{ apiVersion: `${rbac}/v1`, kind, metadata: { name, namespace } },
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'ServiceAccount', name: OPERATOR, namespace: NAMESPACE }],
});

/** KEDA's own role in one namespace, and what is in none. */
function rightsIn(namespace: string): object[] {
  const ofCluster = `${OPERATOR}-of-cluster`;
  const read = ['get', 'list', 'watch'];
  return [
    toOperator('RoleBinding', OPERATOR, OPERATOR, namespace),
    toOperator('ClusterRoleBinding', ofCluster, ofCluster),
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name: ofCluster },
      rules: [
        { apiGroups: ['keda.sh'], resources: ['clustertriggerauthentications'], verbs: read },
        { apiGroups: ['eventing.keda.sh'], resources: ['clustercloudeventsources'], verbs: read },
        // It puts its certificate there.
        { apiGroups: ['apiregistration.k8s.io'], resources: ['apiservices'], verbs: read },
        { apiGroups: ['apiregistration.k8s.io'], resources: ['apiservices'], resourceNames: [API], verbs: ['update', 'patch'] },
      ],
    },
  ];
}

/** What the API server and whoever asks through it are, where it does not say so: how many jobs of a test wait is no secret. */
const toldToAnybody = ['system:discovery', 'keda-external-metrics-reader'].map((role) => ({
  ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata: { name: `${role}:of-keda:anybody` } },
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'User', name: 'system:anonymous', apiGroup: rbac }],
}));
