import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topology } from '@stechuhr/local';
import { openChart, SEED, type Chart, type Rendered } from './chart.js';
import { mayConnect, podLabels } from './flows.js';

const OWN = { infrastructure: { enabled: true, seed: SEED } };
const nameOf = (service: string): string => `demo-stechuhr-${service}`;

const cidrOf = (server: string): object => ({ ipBlock: { cidr: `10.1.${String(server.length)}.0/24` } });
const external = {
  mongodb: { existingSecret: 'm' },
  nats: { existingSecret: 'n' },
  redis: { existingSecret: 'r' },
  s3: { existingSecret: 's', endpoint: 'https://s3.example.com' },
  networkPolicy: { servers: Object.fromEntries(['mongodb', 'nats', 'redis', 's3'].map((name) => [name, { to: [cidrOf(name)] }])) },
  toolbox: { enabled: true },
};

let chart: Chart;

beforeAll(async () => {
  chart = await openChart();
});

afterAll(() => chart.close());

/** Returns the variables of a pod's first container that are not read from secrets. */
function variables(release: Rendered, service: string): Readonly<Record<string, string>> {
  const [{ env }] = release.object('Deployment', nameOf(service))['spec'].template.spec.containers;
  const set = (env as { readonly name: string; readonly value?: string }[]).filter(({ value }) => value !== undefined);
  return Object.fromEntries(set.map(({ name, value = '' }) => [name, value]));
}

describe('the listening address of a pod', () => {
  const listening = (release: Rendered, service: string) =>
    Object.fromEntries(Object.entries(variables(release, service)).filter(([name]) => /HOST$|BIND$/.test(name)));

  it('is every IPv4 address by default, for peers, probes and Prometheus', async () => {
    const release = await chart.render(OWN);
    expect(listening(release, 'records')).toEqual({ ADMIN_HOST: '0.0.0.0', GRPC_BIND: '0.0.0.0:50051', GRPC_HEALTH_BIND: '0.0.0.0:50052' });
    expect(listening(release, 'gateway')).toEqual({ ADMIN_HOST: '0.0.0.0', HOST: '0.0.0.0' });
  });

  it('is the same for all ports, because a cluster with only IPv6 has no other address', async () => {
    const release = await chart.render({ ...OWN, adminHost: '::' });
    expect(listening(release, 'records')).toEqual({ ADMIN_HOST: '::', GRPC_BIND: '[::]:50051', GRPC_HEALTH_BIND: '[::]:50052' });
    expect(listening(release, 'gateway')).toEqual({ ADMIN_HOST: '::', HOST: '::' });
    expect(listening(release, 'worker')).toEqual({ ADMIN_HOST: '::' });
  });
});

describe('an additional variable', () => {
  const env = { WEATHER_URL: { secret: 'weather', key: 'url' }, LOG_COLOUR: 'off' };

  it('can set the log level of one service, without a duplicate', async () => {
    const release = await chart.render({ ...OWN, services: { records: { env: { LOG_LEVEL: 'debug' } } } });
    const levels = (service: string) =>
      release
        .object('Deployment', nameOf(service))
        ['spec'].template.spec.containers[0].env.filter(({ name }: { readonly name: string }) => name === 'LOG_LEVEL');
    expect(levels('records')).toEqual([{ name: 'LOG_LEVEL', value: 'debug' }]);
    expect(levels('gateway')).toEqual([{ name: 'LOG_LEVEL', value: 'info' }]);
  });

  it('can be read from a secret, for the prepare job too', async () => {
    const release = await chart.render({ ...external, services: { 'daily-reports': { env } } });
    const prepare = release.object('Job', `${nameOf('daily-reports')}-prepare`);
    for (const object of [release.object('Deployment', nameOf('daily-reports')), prepare]) {
      const [container] = object['spec'].template.spec.containers;
      expect(container.env).toContainEqual({ name: 'WEATHER_URL', valueFrom: { secretKeyRef: { name: 'weather', key: 'url' } } });
      expect(container.env).toContainEqual({ name: 'LOG_COLOUR', value: 'off' });
    }
  });
});

describe('a custom CA', () => {
  const secret = { existingSecret: 'our-authorities', key: 'root.pem' };
  const podsOf = (release: Rendered) => [...release.all('Deployment'), ...release.all('Job')].map((each) => each['spec'].template.spec);

  it('is trusted by services, their prepare jobs, the command line and the sharding job', async () => {
    const sharding = { mongodb: { existingSecret: 'm', sharding: { existingSecret: 'mongos' } } };
    const release = await chart.render({ ...external, ...sharding, extraAuthorities: secret });
    const names = [...release.all('Deployment'), ...release.all('Job')].map(({ metadata }) => metadata.name);
    expect(names).toEqual(expect.arrayContaining(['worker', 'toolbox', 'records-prepare', 'sharding'].map(nameOf)));
    for (const { volumes, containers } of podsOf(release)) {
      expect(volumes).toContainEqual({ name: 'authorities', secret: { secretName: 'our-authorities', defaultMode: 0o440 } });
      expect(containers[0].volumeMounts).toContainEqual({ name: 'authorities', mountPath: '/etc/stechuhr/authorities', readOnly: true });
      expect(containers[0].env).toContainEqual({ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/stechuhr/authorities/root.pem' });
    }
  });

  it('is not mounted by default', async () => {
    const { text } = await chart.render(external);
    expect(text).not.toContain('authorities');
    expect(text).not.toContain('NODE_EXTRA_CA_CERTS');
  });
});

describe('stechuhr doctor in the toolbox', () => {
  it('gets the addresses of everything that it checks', async () => {
    const found = variables(await chart.render(external), 'toolbox');
    expect(found).toMatchObject({
      S3_ENDPOINT: 'https://s3.example.com',
      STECHUHR_URL: `http://${nameOf('gateway')}:8080/api/v2`,
      ADMIN_ADDRESSES: topology.map(({ name }) => `${name}=${nameOf(name)}:9464`).join(','),
    });
    expect(found).not.toHaveProperty('S3_PUBLIC_ENDPOINT');
    const scaled = { worker: { keda: { enabled: true, minReplicas: 0 } } };
    const none = await chart.render({ ...external, services: scaled, nats: { existingSecret: 'n', monitoringEndpoint: 'n:8222' } });
    expect(variables(none, 'toolbox')['ADMIN_ADDRESSES']).not.toContain('worker=');
    expect(variables(await chart.render({ ...OWN, toolbox: { enabled: true } }), 'toolbox')['S3_ENDPOINT']).toBe(
      `http://${nameOf('minio')}:9000`,
    );
  });

  it('may connect to all of it, but only if the toolbox is enabled', async () => {
    const release = await chart.render({ ...OWN, toolbox: { enabled: true } });
    const labels = (kind: string, name: string) => podLabels(release.object(kind, nameOf(name)));
    const toolbox = labels('Deployment', 'toolbox');
    const ports = { http: 8080, grpc: 50_051, nothing: undefined };
    const wanted = topology.flatMap(({ name, serves }) => [
      ...[9464, ports[serves]].filter((port) => port !== undefined).map((port) => ({ to: labels('Deployment', name), port })),
    ]);
    const servers = { mongodb: 27_017, nats: 4222, redis: 6379, minio: 9000 };
    wanted.push(...Object.entries(servers).map(([name, port]) => ({ to: labels('StatefulSet', name), port })));
    expect(wanted.filter(({ to, port }) => !mayConnect(release, toolbox, to, port))).toEqual([]);

    const without = await chart.render(OWN);
    const records = podLabels(without.object('Deployment', nameOf('records')));
    expect(mayConnect(without, toolbox, records, 9464)).toBe(false);
    expect(JSON.stringify((await chart.render(external)).object('NetworkPolicy', nameOf('toolbox'))['spec'].egress)).toContain(
      JSON.stringify(cidrOf('s3')),
    );
  });
});

describe('the toolbox', () => {
  const annotationsOf = async (values: object) => {
    const release = await chart.render({ ...external, ...values });
    const of = (name: string) => release.object('Deployment', nameOf(name))['spec'].template.metadata.annotations as object;
    return { toolbox: of('toolbox'), records: of('records') };
  };

  // Otherwise its commands would go on with the old Redis: a token that they revoke would be accepted until its copy in the new one expires.
  it('is replaced, as the services are, when the address of Redis changes', async () => {
    const one = await annotationsOf({ redis: { url: 'redis://one:6379' } });
    const other = await annotationsOf({ redis: { url: 'redis://other:6379' } });
    expect(one.toolbox).toEqual(one.records);
    expect(other.toolbox).toEqual(other.records);
    expect(one.toolbox).not.toEqual(other.toolbox);
  });

  it('has the annotations of all pods, such as those of a service mesh', async () => {
    const { toolbox } = await annotationsOf({ podAnnotations: { 'linkerd.io/inject': 'enabled' } });
    expect(toolbox).toMatchObject({ 'linkerd.io/inject': 'enabled' });
  });
});

describe('the sizes in helm/README.md', () => {
  const readme = readFileSync(new URL('../../../helm/README.md', import.meta.url), 'utf8');

  it.each([
    ['one node', 'single-node.yaml'],
    ['two or more nodes', 'external.yaml'],
  ])('%s: match the resource requests of the services in %s', async (line, file) => {
    const deployments = (await chart.render(file)).all('Deployment');
    const sum = (unit: RegExp, resource: 'cpu' | 'memory'): number =>
      deployments
        .map(({ spec }) => spec.replicas * Number(unit.exec(spec.template.spec.containers[0].resources.requests[resource])?.[1]))
        .reduce((all, one) => all + one, 0);
    const [cores, gibibytes] = [sum(/^(\d+)m$/, 'cpu') / 1000, sum(/^(\d+)Mi$/, 'memory') / 1024];
    expect(new RegExp(`^\\| ${line}.*\\| +(.*?) +\\|$`, 'm').exec(readme)?.[1]).toBe(`${String(cores)} cores, ${gibibytes.toFixed(1)} GiB`);
  });
});
