import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topology } from '@stechuhr/local';
import { openChart, valueFiles, type Chart, type KubernetesObject, type Rendered, SEED } from './chart.js';
import { asksForNames, mayConnect, podLabels } from './flows.js';

const files = await valueFiles();
const services = topology.map(({ name }) => name);

let chart: Chart;
let installations: Readonly<Record<string, Rendered>>;

beforeAll(async () => {
  chart = await openChart();
  installations = Object.fromEntries(await Promise.all(files.map(async (file) => [file, await chart.render(file)] as const)));
});

afterAll(() => chart.close());

const rendered = (file: string): Rendered => {
  const found = installations[`${file}.yaml`];
  if (found === undefined) throw new Error(`There is no ci/${file}.yaml.`);
  return found;
};
const nameOf = (service: string): string => `demo-stechuhr-${service}`;
const deployment = (file: string, service: string): KubernetesObject => rendered(file).object('Deployment', nameOf(service));
const pod = (file: string, service: string) => deployment(file, service)['spec'].template.spec;
const container = (file: string, service: string) => pod(file, service).containers[0];
const environment = (file: string, service: string): Record<string, unknown> =>
  Object.fromEntries(
    container(file, service).env.map((each: { name: string; value?: string; valueFrom?: unknown }) => [
      each.name,
      each.value ?? each.valueFrom,
    ]),
  );
interface Variable {
  readonly name: string;
}
const fromSecret = (name: string, key: string) => ({ secretKeyRef: { name, key } });
const policy = (file: string, service: string) => rendered(file).object('NetworkPolicy', nameOf(service))['spec'];
const componentsOf = (rules: readonly { from?: unknown; to?: unknown }[]): string[] =>
  [...JSON.stringify(rules).matchAll(/"app.kubernetes.io\/component":"([^"]+)"/g)].map(([, name = '']) => name).sort();

describe('every installation', () => {
  it.each(files)('%s: has a Deployment, a Service and a PodDisruptionBudget for each service', (file) => {
    const { all } = installations[file] as Rendered;
    expect(all('Deployment').map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(services.map(nameOf)));
    expect(all('Service').map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(services.map(nameOf)));
  });

  it.each(files)('%s: has no container that runs as root, writes to its root file system, or keeps a capability', (file) => {
    const { objects } = installations[file] as Rendered;
    const specs = objects
      .map((object) => (object.kind === 'Pod' ? object['spec'] : object['spec']?.template?.spec))
      .filter((spec) => spec?.containers);
    expect(specs.length).toBeGreaterThan(services.length);
    for (const spec of specs) {
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } });
      expect(spec.automountServiceAccountToken).toBe(false);
      for (const { securityContext, resources } of spec.containers) {
        expect(securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
        expect(resources.requests).toHaveProperty('cpu');
        expect(resources.requests).toHaveProperty('memory');
        expect(resources.limits).toHaveProperty('memory');
      }
    }
  });

  // A namespace may deny all traffic that no policy allows.
  it.each(files)('%s: has a policy that allows DNS for each pod, if policies are enabled', (file) => {
    const release = installations[file] as Rendered;
    if (release.all('NetworkPolicy').length === 0) return;
    const pods = release.objects.flatMap((object) => {
      const labels = object.kind === 'Pod' ? object.metadata.labels : object['spec']?.template?.metadata?.labels;
      return labels === undefined ? [] : [{ name: `${object.kind} ${object.metadata.name}`, labels }];
    });
    expect(pods.length).toBeGreaterThan(services.length);
    expect(pods.filter(({ labels }) => !asksForNames(release, labels)).map(({ name }) => name)).toEqual([]);
  });

  it.each(files)('%s: has unique names and the labels of the release on all objects', (file) => {
    const { objects } = installations[file] as Rendered;
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { metadata } of objects) {
      expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/instance': 'demo', 'app.kubernetes.io/part-of': 'stechuhr' });
      expect(metadata.name.length).toBeLessThanOrEqual(63);
    }
  });
});

it('contains an S3 policy for each service that stores objects', () => {
  const storing = topology.filter(({ needs }) => needs.includes('s3')).map(({ name }) => name);
  const file = readFileSync(fileURLToPath(new URL('../../../helm/stechuhr/files/s3-policies.json', import.meta.url)), 'utf8');
  expect(Object.keys(JSON.parse(file) as object).sort()).toEqual(storing.sort());
});

const { version } = JSON.parse(readFileSync(fileURLToPath(new URL('../../../package.json', import.meta.url)), 'utf8')) as {
  version: string;
};

describe.each(topology)('$name', ({ name, needs, calls, serves }) => {
  it('gets the addresses of its peers and servers, and no others', () => {
    const variables = environment('external', name);
    const addresses = Object.entries(variables).filter(([variable]) => variable.endsWith('_ADDRESS'));
    expect(Object.fromEntries(addresses)).toEqual(
      Object.fromEntries(calls.map((peer) => [`${peer.toUpperCase().replaceAll('-', '_')}_ADDRESS`, `${nameOf(peer)}:50051`])),
    );
    expect('MONGODB_URL' in variables).toBe(needs.includes('mongodb'));
    expect('NATS_URL' in variables).toBe(needs.includes('nats'));
    expect('REDIS_URL' in variables).toBe(needs.includes('redis'));
    expect('S3_ENDPOINT' in variables).toBe(needs.includes('s3'));
  });

  it('has a separate user for each server', () => {
    const variables = environment('external', name);
    if (needs.includes('mongodb')) expect(variables['MONGODB_URL']).toEqual(fromSecret('stechuhr-mongodb', name));
    expect(variables['NATS_URL']).toEqual(fromSecret('stechuhr-nats', name));
    if (needs.includes('s3')) expect(variables['S3_SECRET_KEY']).toEqual(fromSecret(`stechuhr-s3-${name}`, 'secret-key'));
  });

  it('has probes for its protocol', () => {
    const { readinessProbe, livenessProbe, startupProbe } = container('external', name);
    expect(readinessProbe).toMatchObject(serves === 'grpc' ? { grpc: { port: 50052 } } : { httpGet: { path: '/readyz', port: 'admin' } });
    expect(livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'admin' });
    // The kubelet and Prometheus connect from outside the pod, but by default a service listens on loopback.
    expect(environment('external', name)).toMatchObject({ ADMIN_HOST: '0.0.0.0' });
    expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThanOrEqual(60);
  });

  it('has a termination grace period longer than its own shutdown timeout', () => {
    const { DRAIN_SECONDS } = environment('external', name);
    // Only services through which downloads pass have to drain.
    const drains = ['gateway', 'exports', 'records', 'daily-reports'].includes(name);
    expect(DRAIN_SECONDS).toBe(drains ? '600' : undefined);
    expect(pod('external', name).terminationGracePeriodSeconds).toBeGreaterThan(
      (drains ? Number(DRAIN_SECONDS) + 15 : 25) + container('external', name).lifecycle.preStop.sleep.seconds,
    );
  });

  // A client with the address of a removed pod would wait for a timeout, because nothing answers there, not even with a connection refusal.
  it('serves until DNS no longer contains its address', () => {
    const { seconds } = container('external', name).lifecycle.preStop.sleep;
    expect(seconds).toBe(serves === 'grpc' ? 35 : 5);
  });

  it('has a headless Service if it serves gRPC', () => {
    const { clusterIP, ports } = rendered('external').object('Service', nameOf(name))['spec'];
    expect(clusterIP).toBe(serves === 'http' ? undefined : 'None');
    expect(ports.map((port: { name: string }) => port.name)).toEqual([...(serves === 'nothing' ? [] : [serves]), 'admin']);
  });

  it('presents its own certificate and accepts its callers', () => {
    const callers = topology.filter(({ calls: called }) => called.includes(name)).map((caller) => caller.name);
    const variables = environment('external', name);
    expect(variables['GRPC_TLS_FOLDER']).toBe('/etc/stechuhr/tls');
    expect(variables['GRPC_ALLOWED_CALLERS']).toBe(serves === 'grpc' ? [...callers, 'toolbox'].join(',') : undefined);
    expect(pod('external', name).volumes).toContainEqual({
      name: 'tls',
      secret: { secretName: `${nameOf(name)}-tls`, defaultMode: 0o440 },
    });
  });

  // The previous version does not send grants.
  it('requires grants only if configured', () => {
    expect(environment('own-certificates', name)['GRPC_REQUIRE_GRANTS']).toBe(serves === 'grpc' ? 'true' : undefined);
    expect(environment('external', name)).not.toHaveProperty('GRPC_REQUIRE_GRANTS');
  });

  it('accepts connections only from its callers and connects only to its peers', () => {
    const { ingress, egress, policyTypes } = policy('development', name);
    const callers = topology.filter(({ calls: called }) => called.includes(name)).map((caller) => caller.name);
    const expected = [...callers, 'toolbox', ...(serves === 'http' ? ['helm-test'] : [])];
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    expect([...new Set(componentsOf(ingress))]).toEqual(expected.sort());
    const servers = needs.map((need) => (need === 's3' ? 'minio' : need));
    expect(componentsOf(egress)).toEqual([...calls, ...servers].sort());
  });

  it('is prepared before an upgrade if it has a database, with the new image and outside of its Service', () => {
    const jobs = rendered('external').all('Job');
    expect(jobs.some(({ metadata }) => metadata.name === `${nameOf(name)}-prepare`)).toBe(needs.includes('mongodb'));
    if (!needs.includes('mongodb')) return;
    const job = rendered('external').object('Job', `${nameOf(name)}-prepare`);
    expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-upgrade' });
    const [prepare] = job['spec'].template.spec.containers;
    expect(prepare.image).toBe(container('external', name).image);
    expect(prepare.args.at(-1)).toBe('prepare');
    expect(job['spec'].template.metadata.labels['app.kubernetes.io/component']).toBe(`${name}-prepare`);
  });

  it('survives the loss of a node', () => {
    expect(deployment('external', name)['spec'].replicas).toBe(2);
    expect(deployment('external', name)['spec'].strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(rendered('external').object('PodDisruptionBudget', nameOf(name))['spec'].maxUnavailable).toBe(1);
    // Spread per revision: during an upgrade, pods of the previous revision still exist when new pods are scheduled.
    const spread = { topologyKey: 'kubernetes.io/hostname', matchLabelKeys: ['pod-template-hash'] };
    expect(pod('external', name).topologySpreadConstraints).toEqual([expect.objectContaining(spread)]);
  });
});

describe('a MongoDB of several shards', () => {
  it('is sharded after each install and upgrade, but only if configured', () => {
    const job = rendered('sharded').object('Job', nameOf('sharding'));
    expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'post-install,post-upgrade' });
    const { containers, volumes } = job['spec'].template.spec;
    expect(containers[0].env).toContainEqual({ name: 'MONGODB_URL', valueFrom: fromSecret('stechuhr-mongos', 'url') });
    expect(volumes).toContainEqual({ name: 'script', configMap: { name: nameOf('sharding') } });
    const script = readFileSync(new URL('../../../helm/stechuhr/files/mongodb-sharding.js', import.meta.url), 'utf8');
    expect(rendered('sharded').object('ConfigMap', nameOf('sharding'))['data']['mongodb-sharding.js'].trim()).toBe(script.trim());
    const { ingress, egress } = policy('sharded', 'sharding');
    expect(ingress).toEqual([]);
    expect(JSON.stringify(egress)).toContain('10.1.0.0/24');
    expect(JSON.stringify(egress)).not.toContain('10.1.1.0/24');
    expect(rendered('external').text).not.toContain('sharding');
  });
});

describe('values', () => {
  it('give images of a registry, a tag, and a digest before the tag', () => {
    expect(container('own-certificates', 'tasks').image).toBe('registry.example.com/platform/stechuhr/tasks:2026.11');
    expect(container('own-certificates', 'records').image).toMatch(/^registry\.example\.com\/platform\/stechuhr\/records@sha256:9f86d0/);
    expect(pod('own-certificates', 'records').imagePullSecrets).toEqual([{ name: 'registry' }]);
  });

  it('accept existing certificates, by the name of the service', () => {
    expect(pod('own-certificates', 'exports').volumes).toContainEqual({
      name: 'tls',
      secret: { secretName: 'tls-exports', defaultMode: 0o440 },
    });
    expect(rendered('own-certificates').all('Secret')).toEqual([]);
  });

  it('make cert-manager issue a certificate for each service, for both sides of a call', () => {
    const certificates = rendered('cert-manager').all('Certificate');
    expect(certificates.map(({ spec }) => spec.commonName).sort()).toEqual([...services, 'toolbox'].sort());
    for (const { spec } of certificates) {
      expect(spec.issuerRef).toEqual({ name: 'internal', kind: 'ClusterIssuer' });
      expect(spec.usages).toEqual(expect.arrayContaining(['server auth', 'client auth']));
      expect(spec.dnsNames).toContain(`${nameOf(spec.commonName)}.shop.svc`);
      // Different from the secrets of the chart's own certificates, which switching to cert-manager deletes.
      expect(spec.secretName).toBe(`${nameOf(spec.commonName)}-issued-tls`);
    }
    expect(pod('cert-manager', 'exports').volumes).toContainEqual({
      name: 'tls',
      secret: { secretName: `${nameOf('exports')}-issued-tls`, defaultMode: 0o440 },
    });
  });

  it('scale gateway, records and exports by CPU, and the worker by waiting jobs', () => {
    const { all, object } = rendered('autoscaling');
    expect(all('HorizontalPodAutoscaler').map(({ metadata }) => metadata.name)).toEqual(['records', 'exports', 'gateway'].map(nameOf));
    expect(object('HorizontalPodAutoscaler', nameOf('gateway'))['spec']).toMatchObject({ minReplicas: 3, maxReplicas: 12 });
    expect(object('HorizontalPodAutoscaler', nameOf('gateway'))['spec'].metrics[0].resource.target.averageUtilization).toBe(60);
    expect(object('ScaledObject', nameOf('worker'))['spec']).toMatchObject({ minReplicaCount: 1, maxReplicaCount: 20 });
    expect(object('ScaledObject', nameOf('worker'))['spec'].triggers[0]).toEqual({
      type: 'nats-jetstream',
      metadata: {
        natsServerMonitoringEndpoint: 'nats-headless.nats.svc:8222',
        account: '$G',
        stream: 'STECHUHR_JOBS',
        consumer: 'worker-export',
        lagThreshold: '4',
        activationLagThreshold: '0',
      },
    });
    for (const name of ['gateway', 'records', 'exports', 'worker'])
      expect(deployment('autoscaling', name)['spec']).not.toHaveProperty('replicas');
  });

  it('expose the API with TLS', () => {
    const { spec, metadata } = rendered('ingress').object('Ingress', 'demo-stechuhr');
    expect(metadata.annotations).toMatchObject({
      'cert-manager.io/cluster-issuer': 'letsencrypt',
      'nginx.org/proxy-read-timeout': '3600s',
    });
    expect(spec.ingressClassName).toBe('nginx');
    expect(spec.tls).toEqual([{ hosts: ['api.example.com'], secretName: 'demo-stechuhr-ingress-tls' }]);
    expect(spec.rules[0].http.paths[0]).toMatchObject({
      path: '/api/v2',
      backend: { service: { name: 'demo-stechuhr-gateway', port: { name: 'http' } } },
    });
    expect(environment('ingress', 'gateway')).toMatchObject({
      PUBLIC_URL: 'https://api.example.com',
      TRUST_PROXY: '1',
      RATE_LIMIT_PER_MINUTE: '1200',
    });
    expect(environment('ingress', 'records')).not.toHaveProperty('TRUST_PROXY');
  });

  it('sign download URLs for the public address of the object store', () => {
    expect(environment('ingress', 'tasks')).toMatchObject({
      S3_ENDPOINT: 'http://minio.storage:9000',
      S3_PUBLIC_ENDPOINT: 'https://files.example.com',
    });
    expect(environment('external', 'tasks')).toMatchObject({ S3_PUBLIC_ENDPOINT: 'https://s3.example.com' });
  });

  it('accept the URL of Redis as a value or as a secret', () => {
    expect(environment('ingress', 'gateway')['REDIS_URL']).toEqual(fromSecret('demo-stechuhr-redis', 'url'));
    expect(rendered('ingress').object('Secret', 'demo-stechuhr-redis')['stringData']).toEqual({ url: 'rediss://cache.example.com:6380' });
    expect(environment('external', 'gateway')['REDIS_URL']).toEqual(fromSecret('stechuhr-redis', 'url'));
  });

  it('let the configured Prometheus scrape every service under its name', () => {
    const monitors = rendered('observed').all('ServiceMonitor');
    expect(monitors.map(({ metadata }) => metadata.name)).toEqual(services.map(nameOf));
    for (const { spec, metadata } of monitors) {
      expect(metadata.labels).toMatchObject({ release: 'kube-prometheus-stack' });
      expect(spec.endpoints).toEqual([
        {
          port: 'admin',
          path: '/metrics',
          interval: '30s',
          relabelings: [
            { targetLabel: 'job', replacement: metadata.labels['app.kubernetes.io/name'] },
            { targetLabel: 'release', replacement: 'demo' },
          ],
        },
      ]);
    }
    expect(policy('observed', 'worker').ingress).toEqual([
      { from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'observability' } } }], ports: [{ port: 9464 }] },
    ]);
  });

  it('send traces to the configured collector, and allow that in the policies', () => {
    expect(environment('observed', 'exports')).toMatchObject({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel-collector.observability:4318' });
    expect(JSON.stringify(policy('observed', 'exports').egress)).toContain('4318');
    expect(environment('external', 'exports')).not.toHaveProperty('OTEL_EXPORTER_OTLP_ENDPOINT');
  });

  it('configure the ports of DNS', () => {
    const ports = (file: string): unknown => policy(file, 'records').egress[0].ports;
    const both = (port: number) => ['UDP', 'TCP'].map((protocol) => ({ port, protocol }));
    expect(ports('external')).toEqual(both(53));
    expect(ports('strict-network')).toEqual(both(5353));
    expect(policy('strict-network', 'records').egress[0].to[0].namespaceSelector.matchLabels).toEqual({
      'kubernetes.io/metadata.name': 'openshift-dns',
    });
  });

  it('restrict connections to servers', () => {
    const egress = JSON.stringify(policy('strict-network', 'records').egress);
    expect(egress).toContain('{"to":[{"ipBlock":{"cidr":"10.1.0.0/24"}}],"ports":[{"port":27017}]}');
    expect(egress).toContain('{"to":[{"ipBlock":{"cidr":"10.1.1.7/32"}}],"ports":[{"port":6380}]}');
    expect(egress).not.toContain('0.0.0.0/0');
    expect(JSON.stringify(policy('strict-network', 'daily-reports').egress)).toContain('203.0.113.0/24');
    expect(JSON.stringify(policy('strict-network', 'tasks').egress)).not.toContain('203.0.113.0/24');
  });

  it('allow internet access only for configured services', () => {
    const reaching = (file: string): readonly string[] =>
      services.filter((name) => JSON.stringify(policy(file, name).egress).includes('0.0.0.0/0'));
    expect(reaching('external')).toEqual([]);
    expect(reaching('strict-network')).toEqual(['webhooks']);
    expect(JSON.stringify(policy('strict-network', 'webhooks').egress)).toContain('"except":["10.0.0.0/8"');
  });

  it('make containers writable only for development', async () => {
    const release = await chart.render({ infrastructure: { enabled: true, seed: SEED }, writableContainers: true });
    const [{ securityContext }] = release.object('Deployment', nameOf('records'))['spec'].template.spec.containers;
    expect(securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: false, capabilities: { drop: ['ALL'] } });
  });

  it('accept a complete image reference', async () => {
    const references = { records: 'localhost:5000/records:dirty@sha256:0123' };
    const release = await chart.render({ infrastructure: { enabled: true, seed: SEED }, image: { references } });
    expect(release.object('Deployment', nameOf('records'))['spec'].template.spec.containers[0].image).toBe(references.records);
    expect(release.object('Deployment', nameOf('tasks'))['spec'].template.spec.containers[0].image).toBe(`stechuhr/tasks:${version}`);
  });

  it('can disable identities, policies and hooks', () => {
    const { all } = rendered('plain');
    expect(all('NetworkPolicy')).toEqual([]);
    expect(all('Job')).toEqual([]);
    expect(all('Secret')).toEqual([]);
    expect(environment('plain', 'records')).not.toHaveProperty('GRPC_TLS_FOLDER');
    expect(pod('plain', 'records').nodeSelector).toEqual({ pool: 'services' });
    expect(pod('plain', 'records').tolerations).toHaveLength(1);
    expect(deployment('plain', 'records')['spec'].template.metadata.annotations).toMatchObject({ 'linkerd.io/inject': 'enabled' });
  });

  it('add servers only on request', () => {
    expect(rendered('external').all('StatefulSet')).toEqual([]);
    expect(
      rendered('development')
        .all('StatefulSet')
        .map(({ metadata }) => metadata.name),
    ).toEqual(['mongodb', 'nats', 'redis', 'minio'].map(nameOf));
  });

  it('give each service of a development cluster its own database user, with majority writes', () => {
    const urls = rendered('development').object('Secret', 'demo-stechuhr-mongodb')['stringData'] as Record<string, string>;
    const owners = topology.filter(({ needs }) => needs.includes('mongodb')).map(({ name }) => name);
    expect(Object.keys(urls).sort()).toEqual(owners.sort());
    for (const owner of owners) {
      const database = `stechuhr_${owner.replaceAll('-', '_')}`;
      expect(urls[owner]).toMatch(
        new RegExp(`^mongodb://${owner}:[0-9a-f]{32}@demo-stechuhr-mongodb:27017/\\?replicaSet=rs0&authSource=${database}$`),
      );
    }
    expect(new Set(Object.values(urls).map((url) => new URL(url).password)).size).toBe(owners.length);
  });

  it('keep passwords across upgrades, with different ones for each release and seed', async () => {
    const again = await chart.render('development.yaml');
    const other = await chart.render({ infrastructure: { enabled: true, seed: 'another seed of a test' } });
    const passwords = (release: Rendered): unknown => release.object('Secret', 'demo-stechuhr-s3')['stringData'];
    expect(passwords(again)).toEqual(passwords(rendered('development')));
    expect(passwords(other)).not.toEqual(passwords(again));
  });

  it('deploy the command line, with access to the gateway’s database for tokens', () => {
    const toolbox = deployment('development', 'toolbox');
    expect(toolbox['spec'].template.spec.containers[0].image).toMatch(/stechuhr\/cli:/);
    expect(environment('development', 'toolbox')['MONGODB_URL']).toEqual(fromSecret('demo-stechuhr-mongodb', 'gateway'));
    expect(
      rendered('external')
        .all('Deployment')
        .map(({ metadata }) => metadata.name),
    ).not.toContain(nameOf('toolbox'));
    expect(componentsOf(policy('development', 'toolbox').egress)).toEqual([...services, 'mongodb', 'nats', 'redis', 'minio'].sort());
  });

  it('contain a test that connects to the gateway', () => {
    const test = rendered('external').object('Pod', 'demo-stechuhr-helm-test');
    expect(test.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'test' });
    expect(test['spec'].containers[0].args[1]).toContain("'http://demo-stechuhr-gateway:8080'");
    expect(componentsOf(policy('external', 'helm-test').egress)).toEqual(['gateway']);
    expect(mayConnect(rendered('external'), test.metadata.labels, podLabels(deployment('external', 'gateway')), 8080)).toBe(true);
  });
});

it.each([
  ['a value', 'tokens_of_firm'],
  ['a secret', { secret: 'names', key: 'gateway' }],
])('the command line of the chart knows which database the gateway uses, as %s', async (_, name) => {
  const settings = { gateway: { env: { MONGODB_DATABASE: name } } };
  const { object } = await chart.render({ infrastructure: { enabled: true, seed: SEED }, toolbox: { enabled: true }, services: settings });
  const ofPod = (service: string): readonly Variable[] => object('Deployment', nameOf(service))['spec'].template.spec.containers[0].env;
  const own = ofPod('gateway').find((variable) => variable.name === 'MONGODB_DATABASE');
  expect(own).toBeDefined();
  expect(ofPod('toolbox')).toContainEqual({ ...own, name: 'GATEWAY_DATABASE' });
});

// Without it, links name the scheme of the connection between the ingress controller and the gateway, which is http.
it.each<[string, object, string | undefined]>([
  ['that of the ingress', { ingress: { enabled: true, host: 'api.example.com' } }, 'https://api.example.com'],
  [
    'the configured one',
    { ingress: { enabled: true, host: 'internal.example.com' }, publicUrl: 'https://api.example.com' },
    'https://api.example.com',
  ],
  [
    'that of the variable',
    {
      ingress: { enabled: true, host: 'internal.example.com' },
      services: { gateway: { env: { PUBLIC_URL: 'https://api.example.com' } } },
    },
    'https://api.example.com',
  ],
  ['unknown without an ingress', {}, undefined],
])('sets the public address in links of responses: %s', async (_what, given, expected) => {
  const release = await chart.render({ infrastructure: { enabled: true, seed: SEED }, ...given });
  const [{ env }] = release.object('Deployment', nameOf('gateway'))['spec'].template.spec.containers;
  const found = (env as { name: string; value: string }[]).filter(({ name }) => name === 'PUBLIC_URL');
  expect(found.map(({ value }) => value)).toEqual(expected === undefined ? [] : [expected]);
});

it('spreads the pods of a service over zones if configured', async () => {
  const topologyKeys = ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'];
  const release = await chart.render({ infrastructure: { enabled: true, seed: SEED, replicas: { nats: 3 } }, topologyKeys });
  for (const pods of [release.object('Deployment', nameOf('records')), release.object('StatefulSet', nameOf('nats'))]) {
    const spread = pods['spec'].template.spec.topologySpreadConstraints as { topologyKey: string; whenUnsatisfiable: string }[];
    expect(spread.map(({ topologyKey }) => topologyKey)).toEqual(topologyKeys);
    expect(new Set(spread.map(({ whenUnsatisfiable }) => whenUnsatisfiable))).toEqual(new Set(['ScheduleAnyway']));
  }
});

it('lets publishers and subscribers connect to the NATS of the release, from where they run', async () => {
  const clients = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'planning' } } }];
  const render = (nats: object) => chart.render({ infrastructure: { enabled: true, seed: SEED }, nats, networkPolicy: { clients } });
  const sourcesOf = ({ object }: Rendered): unknown => object('NetworkPolicy', nameOf('nats'))['spec'].ingress[0].from;
  const pods = { podSelector: { matchLabels: { 'app.kubernetes.io/instance': 'demo' } } };
  const open = await render({ subscribers: [{ user: 'audit', events: ['*.*.*'] }] });
  expect(sourcesOf(open)).toEqual([pods, ...clients]);
  // They may run in another namespace.
  expect(open.object('Secret', nameOf('nats'))['stringData'].audit).toMatch(/^nats:\/\/audit:\w+@demo-stechuhr-nats\.shop\.svc:4222$/);
  expect(sourcesOf(await render({}))).toEqual([pods]);
});

it('gives each service of a development cluster its own user of the object store, with its policy', () => {
  const storing = topology.filter(({ needs }) => needs.includes('s3')).map(({ name }) => name);
  const config = rendered('development').object('Secret', 'demo-stechuhr-minio-config')['stringData'] as { 'users.json': string };
  const users = JSON.parse(config['users.json']) as {
    name: string;
    secretKey: string;
    policy: { Statement: { Resource: string[] }[] };
  }[];
  expect(users.map(({ name }) => name).sort()).toEqual(storing.toSorted());
  for (const {
    name,
    secretKey,
    policy: { Statement },
  } of users) {
    expect(rendered('development').object('Secret', `demo-stechuhr-s3-${name}`)['stringData']).toEqual({
      'access-key': name,
      'secret-key': secretKey,
    });
    expect(environment('development', name)['S3_SECRET_KEY']).toEqual(fromSecret(`demo-stechuhr-s3-${name}`, 'secret-key'));
    for (const resource of Statement.flatMap(({ Resource }) => Resource)) expect(resource).toMatch(/^arn:aws:s3:::stechuhr(\/|$)/);
  }
  expect(new Set(users.map(({ secretKey }) => secretKey)).size).toBe(storing.length);
  const store = rendered('development').object('StatefulSet', 'demo-stechuhr-minio')['spec'].template.spec.containers;
  expect(store.map(({ name }: { name: string }) => name)).toEqual(['minio', 'users']);
  expect(store[1].args).toEqual(['main.js', 'store-users', '--file', '/etc/server/users.json', '--watch']);
});
