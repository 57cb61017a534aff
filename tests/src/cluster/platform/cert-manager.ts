import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { certManagerModule, goModuleFolder, type Log } from '@stechuhr/local-infra';
import type { Platform } from './platform.js';

const NAMESPACE = 'cert-manager';
const NAME = 'cert-manager';
const IMAGE = `quay.io/jetstack/cert-manager-controller:${certManagerModule.version}`;
const labels = { app: NAME };
const rbac = 'rbac.authorization.k8s.io';

/** Controllers for a CA issuer and its certificates; the others are for ACME and for external CAs. */
const CONTROLLERS = [
  ...['issuers', 'certificaterequests-approver', 'certificaterequests-issuer-ca'],
  ...['trigger', 'issuing', 'key-manager', 'request-manager', 'readiness', 'revision-manager'].map((each) => `certificates-${each}`),
];
/** All resource definitions. cert-manager requires them and also watches those of ACME. */
const DEFINITIONS = ['certificates', 'certificaterequests', 'issuers', 'clusterissuers', 'orders', 'challenges'];

/**
 * Installs cert-manager unless the cluster already has it, and returns a function that removes it. Only the controller is installed,
 * without the validating webhook. It watches the namespace of the release and has permissions only there.
 */
export async function withCertManager({ kube, cluster, log }: Pick<Platform, 'kube' | 'cluster' | 'log'>): Promise<() => Promise<void>> {
  const found = await kube.run(['get', 'crd/certificates.cert-manager.io', '--ignore-not-found', '--output', 'name']);
  if (found.trim() !== '') return async () => undefined;
  await cluster.provideProgram(IMAGE, 'cert-manager', '/app/cmd/controller/controller');
  // The objects contain their namespaces; kubectl rejects them if another namespace is given.
  const anywhere = kube.in('');
  const objects = [...(await definitions(log)), ...controllerFor(kube.namespace)];
  const takeBack = (): Promise<void> => anywhere.remove(...objects.toReversed());
  try {
    await anywhere.applyServerSide(...objects);
    const defined = DEFINITIONS.map((plural) => `crd/${plural}.${groupOf(plural)}`);
    await kube.run(['wait', '--for=condition=Established', ...defined, '--timeout', '60s']);
    await kube.in(NAMESPACE).run(['rollout', 'status', `deployment/${NAME}`, '--timeout', '120s']);
  } catch (error) {
    await takeBack();
    throw error;
  }
  return takeBack;
}

const groupOf = (plural: string): string => (plural === 'orders' || plural === 'challenges' ? 'acme.cert-manager.io' : 'cert-manager.io');

/** Returns the published definitions without labels, which are templates of cert-manager's chart. */
async function definitions(log: Log): Promise<object[]> {
  const folder = await goModuleFolder(certManagerModule, 'deploy/crds', log);
  return DEFINITIONS.map((plural) => {
    const { metadata, ...definition } = parse(readFileSync(join(folder, `crd-${plural}.yaml`), 'utf8')) as { metadata: { name: string } };
    return { ...definition, metadata: { name: metadata.name } };
  });
}

function controllerFor(watched: string): object[] {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: NAME, namespace: NAMESPACE, labels } };
  const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
  const rules = [
    { apiGroups: ['cert-manager.io', 'acme.cert-manager.io'], resources: ['*'], verbs: all },
    { apiGroups: [''], resources: ['secrets'], verbs: all },
    { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
  ];
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE, labels } },
    account,
    { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name: NAME, namespace: watched, labels }, rules },
    {
      ...{ apiVersion: `${rbac}/v1`, kind: 'RoleBinding', metadata: { name: NAME, namespace: watched, labels } },
      roleRef: { apiGroup: rbac, kind: 'Role', name: NAME },
      subjects: [{ kind: 'ServiceAccount', name: NAME, namespace: NAMESPACE }],
    },
    {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: NAME, namespace: NAMESPACE, labels } },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec(watched) } },
    },
  ];
}

function podSpec(watched: string): object {
  const args = [`--namespace=${watched}`, '--leader-elect=false', `--controllers=${CONTROLLERS.join()}`];
  return {
    serviceAccountName: NAME,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        ...{ name: NAME, image: IMAGE, imagePullPolicy: 'IfNotPresent', command: ['/app/cmd/controller/controller'], args },
        resources: { requests: { cpu: '10m', memory: '32Mi' } },
        securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      },
    ],
  };
}
