import type { Platform } from './platform.js';

const NAME = 'traefik';
const IMAGE = 'docker.io/traefik:v3.6.12';
const labels = { app: NAME };
const rbac = 'rbac.authorization.k8s.io';

/** An ingress controller in a separate namespace. */
export interface IngressController {
  readonly namespace: string;
  /** The class name for an Ingress. */
  readonly className: string;
  /** The TLS port on this machine. */
  readonly port: number;
  remove(): Promise<void>;
}

/**
 * Installs Traefik with the settings of its chart: an unprivileged user with ports above 1024, only Ingresses of its class, and status 503
 * for a Service without pods.
 */
export async function withTraefik({ kube, cluster }: Pick<Platform, 'kube' | 'cluster'>): Promise<IngressController> {
  const [namespace, className] = [`${kube.namespace}-ingress`, kube.namespace];
  await cluster.provideProgram(IMAGE, NAME, '/usr/local/bin/traefik');
  const own = kube.in(namespace);
  await own.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await own.ready();
  const objects = manifest(namespace, className);
  const remove = async (): Promise<void> => {
    await own.remove(...objects);
    await own.run(['delete', 'namespace', namespace, '--wait']);
  };
  try {
    await own.apply(...objects);
    await own.run(['rollout', 'status', `deployment/${NAME}`, '--timeout', '120s']);
    const { spec } = await own.get('service', NAME);
    const port = Number(new URL(await cluster.reach((spec as { ports: { nodePort: number }[] }).ports[0]?.nodePort ?? 0)).port);
    return { namespace, className, port, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function manifest(namespace: string, className: string): object[] {
  const metadata = { name: NAME, labels };
  const role = { name: namespace, labels };
  const read = ['get', 'list', 'watch'];
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: role,
      rules: [
        { apiGroups: [''], resources: ['services', 'secrets', 'nodes'], verbs: read },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: read },
        { apiGroups: ['networking.k8s.io'], resources: ['ingresses', 'ingressclasses'], verbs: read },
        { apiGroups: ['networking.k8s.io'], resources: ['ingresses/status'], verbs: ['update'] },
      ],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: role,
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: namespace },
      subjects: [{ kind: 'ServiceAccount', name: NAME, namespace }],
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: className, labels },
      spec: { controller: 'traefik.io/ingress-controller' },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { type: 'NodePort', selector: labels, ports: [{ name: 'websecure', port: 443, targetPort: 'websecure' }] },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec(className) } },
    },
  ];
}

function podSpec(className: string): object {
  const args = [
    '--global.checknewversion=false',
    '--global.sendanonymoususage=false',
    '--entrypoints.websecure.address=:8443',
    '--entrypoints.websecure.http.tls=true',
    '--entrypoints.traefik.address=:8080',
    '--ping=true',
    '--providers.kubernetesingress=true',
    `--providers.kubernetesingress.ingressclass=${className}`,
    '--providers.kubernetesingress.allowemptyservices=true',
  ];
  return {
    serviceAccountName: NAME,
    securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        ...{ name: NAME, image: IMAGE, imagePullPolicy: 'IfNotPresent', command: ['/usr/local/bin/traefik'], args },
        ports: [
          { name: 'websecure', containerPort: 8443 },
          { name: 'traefik', containerPort: 8080 },
        ],
        readinessProbe: { httpGet: { path: '/ping', port: 'traefik' }, periodSeconds: 2 },
        // A small request, because the node has resources for only one more pod, which the upgrade needs.
        resources: { requests: { cpu: '5m', memory: '64Mi' } },
        securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      },
    ],
  };
}
