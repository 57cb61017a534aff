import type { Platform } from './platform.js';

const SYSTEM = 'kube-system';
const NAME = 'metrics-server';
const IMAGE = 'registry.k8s.io/metrics-server/metrics-server:v0.9.0';
const API = 'v1beta1.metrics.k8s.io';
const labels = { 'k8s-app': NAME };
const rbac = 'rbac.authorization.k8s.io';

/**
 * Installs metrics-server, which horizontal scaling needs, unless the cluster already has it, and returns a function that removes it. The
 * manifest follows the published one for kubelets with self-signed certificates. If the API server does not forward identities, anonymous
 * access is allowed; the resource usage of pods of a test is not secret.
 */
export async function withMetricsServer({ kube, cluster }: Pick<Platform, 'kube' | 'cluster'>): Promise<() => Promise<void>> {
  const has = await kube.run(['get', 'apiservice', API, '--ignore-not-found', '--output', 'name']);
  if (has.trim() !== '') return async () => undefined;
  await cluster.provideProgram(IMAGE, NAME, '/metrics-server');
  const objects = [...manifest(cluster.namesCallers), ...(cluster.namesCallers ? [] : anonymousAccess)];
  const takeBack = (): Promise<void> => kube.in(SYSTEM).remove(...objects);
  try {
    await kube.in(SYSTEM).apply(...objects);
    await kube.in(SYSTEM).run(['rollout', 'status', `deployment/${NAME}`, '--timeout', '120s']);
    await kube.run(['wait', '--for=condition=Available', `apiservice/${API}`, '--timeout', '60s']);
  } catch (error) {
    await takeBack();
    throw error;
  }
  return takeBack;
}

/** Allows anonymous access if the API server does not forward identities. */
const anonymousAccess = ['system:discovery', 'system:aggregated-metrics-reader'].map((role) => ({
  ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata: { name: `${role}:of-${NAME}:anybody`, labels } },
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'User', name: 'system:anonymous', apiGroup: rbac }],
}));

function manifest(namesCallers: boolean): object[] {
  const toAccount = (kind: string, name: string, role: object): object => ({
    ...{ apiVersion: `${rbac}/v1`, kind, metadata: { name, labels }, roleRef: { apiGroup: rbac, ...role } },
    subjects: [{ kind: 'ServiceAccount', name: NAME, namespace: SYSTEM }],
  });
  const clusterRole = (name: string, rules: object[]): object => ({
    ...{ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name, labels }, rules },
  });
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: NAME, labels } },
    clusterRole(`system:${NAME}`, [
      { apiGroups: [''], resources: ['nodes/metrics'], verbs: ['get'] },
      { apiGroups: [''], resources: ['pods', 'nodes'], verbs: ['get', 'list', 'watch'] },
    ]),
    clusterRole('system:aggregated-metrics-reader', [
      { apiGroups: ['metrics.k8s.io'], resources: ['pods', 'nodes'], verbs: ['get', 'list', 'watch'] },
    ]),
    toAccount('ClusterRoleBinding', `system:${NAME}`, { kind: 'ClusterRole', name: `system:${NAME}` }),
    toAccount('ClusterRoleBinding', `${NAME}:system:auth-delegator`, { kind: 'ClusterRole', name: 'system:auth-delegator' }),
    toAccount('RoleBinding', `${NAME}-auth-reader`, { kind: 'Role', name: 'extension-apiserver-authentication-reader' }),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: NAME, labels },
      spec: { selector: labels, ports: [{ name: 'https', port: 443, targetPort: 'https' }] },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: NAME, labels },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec(namesCallers) } },
    },
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: API, labels },
      spec: {
        ...{ group: 'metrics.k8s.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 },
        ...{ insecureSkipTLSVerify: true, service: { name: NAME, namespace: SYSTEM } },
      },
    },
  ];
}

function podSpec(namesCallers: boolean): object {
  const args = [
    '--cert-dir=/tmp',
    '--secure-port=10250',
    '--kubelet-preferred-address-types=InternalIP',
    '--kubelet-insecure-tls',
    '--metric-resolution=15s',
    ...(namesCallers ? [] : ['--authentication-tolerate-lookup-failure']),
  ];
  return {
    serviceAccountName: NAME,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        ...{ name: NAME, image: IMAGE, imagePullPolicy: 'IfNotPresent', command: ['/metrics-server'], args },
        ports: [{ name: 'https', containerPort: 10250 }],
        readinessProbe: { httpGet: { path: '/readyz', port: 'https', scheme: 'HTTPS' }, periodSeconds: 5 },
        resources: { requests: { cpu: '10m', memory: '64Mi' } },
        securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
      },
    ],
    volumes: [{ name: 'tmp', emptyDir: {} }],
  };
}
