import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goModuleFolder, kedaModule, type Log } from '@stechuhr/local-infra';
import type { Kubernetes } from './kubernetes.js';
import type { Platform } from './platform.js';

/** The namespace in KEDA's manifests, which is also the default in the chart's network policy. */
const NAMESPACE = 'keda';
const OPERATOR = 'keda-operator';
const ADAPTER = 'keda-metrics-apiserver';
const API = 'v1beta1.external.metrics.k8s.io';
const VERSION = kedaModule.version.slice(1);
const IMAGES = { [OPERATOR]: 'ghcr.io/kedacore/keda', [ADAPTER]: 'ghcr.io/kedacore/keda-metrics-apiserver' } as const;
const rbac = 'rbac.authorization.k8s.io';

/** The operator creates certificates when it starts and then restarts; the adapter waits for them. */
const STARTS = '300s';
const STARTS_MS = 310_000;

/**
 * Installs KEDA, which scales the worker, unless the cluster already has it, and returns a function that removes it. It consists of KEDA's
 * published manifests without the admission webhooks, with the changes in {@link overlay}.
 */
export async function withKeda({ kube, cluster, log }: Pick<Platform, 'kube' | 'cluster' | 'log'>): Promise<() => Promise<void>> {
  const marks = ['crd/scaledobjects.keda.sh', `apiservice/${API}`, `namespace/${NAMESPACE}`];
  const found = (await kube.run(['get', ...marks, '--ignore-not-found', '--output', 'name'])).trim();
  if (found.includes('scaledobjects')) return async () => undefined;
  if (found !== '') throw new Error(`KEDA cannot be installed, because parts of it already exist: ${found}`);
  await cluster.provideProgram(`${IMAGES[OPERATOR]}:${VERSION}`, 'keda', '/keda');
  await cluster.provideProgram(`${IMAGES[ADAPTER]}:${VERSION}`, 'keda-adapter', '/keda-adapter');
  const folder = await manifests(overlay(kube.namespace, cluster.namesCallers), log);
  // The objects contain their namespaces; kubectl rejects them if another namespace is given.
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
    // The definitions are too large for the annotation of a client-side apply.
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

/** Creates a kustomize folder with KEDA's manifests and our patches; kustomize reads no files outside of it. */
async function manifests(files: Readonly<Record<string, object>>, log: Log): Promise<string> {
  const published = await goModuleFolder(kedaModule, 'config', log);
  const folder = mkdtempSync(join(tmpdir(), 'stechuhr-keda-'));
  cpSync(published, join(folder, 'config'), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));
  return folder;
}

/**
 * Deletes scaled objects while KEDA still runs: only KEDA removes its finalizer, without which neither they nor their definition can be
 * deleted.
 */
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
 * Returns patches for KEDA's `config/minimal` by file name: image versions, resource requests that fit on the node, and a user, because an
 * image that contains only the program does not set one. KEDA watches only the namespace of the release and has permissions only there.
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
  const items = [...rightsIn(watched), ...(namesCallers ? [] : anonymousAccess)];
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

/** Returns KEDA's role for one namespace, and its cluster-wide permissions. */
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
        // KEDA stores its certificate there.
        { apiGroups: ['apiregistration.k8s.io'], resources: ['apiservices'], verbs: read },
        { apiGroups: ['apiregistration.k8s.io'], resources: ['apiservices'], resourceNames: [API], verbs: ['update', 'patch'] },
      ],
    },
  ];
}

/** Allows anonymous access if the API server does not forward identities; the number of waiting jobs of a test is not secret. */
const anonymousAccess = ['system:discovery', 'keda-external-metrics-reader'].map((role) => ({
  ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata: { name: `${role}:of-keda:anybody` } },
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'User', name: 'system:anonymous', apiGroup: rbac }],
}));
