import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openChart, type Chart, SEED } from './chart.js';

const there = { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] };
/** Valid values. */
const good = {
  mongodb: { existingSecret: 'm' },
  nats: { existingSecret: 'n' },
  redis: { existingSecret: 'r' },
  s3: { existingSecret: 's', endpoint: 'https://s3.example.com' },
  networkPolicy: { servers: { mongodb: there, nats: there, redis: there, s3: there } },
};

let chart: Chart;

beforeAll(async () => {
  chart = await openChart();
});

afterAll(() => chart.close());

describe('invalid values', () => {
  it('do not include the valid ones', async () => {
    await expect(chart.render(good)).resolves.toBeDefined();
  });

  it.each(['rediss://cache:6379', 'redis+cluster://a:6379,b:6379', 'rediss+sentinel://a:26379,b:26379/main'])(
    'do not include a Redis at %s',
    async (url) => {
      await expect(chart.render({ ...good, redis: { url } })).resolves.toBeDefined();
    },
  );

  it.each<[string, object, string]>([
    ['a misspelt section', { ...good, serivces: {} }, "additional properties 'serivces' not allowed"],
    ['a service that does not exist', { ...good, services: { billing: {} } }, "additional properties 'billing' not allowed"],
    [
      'a number of partitions in between',
      { ...good, nats: { ...good.nats, streams: { events: { partitions: 3 } } } },
      'must be one of 1, 2, 4, 8, 16',
    ],
    ['a misspelt value of a service', { ...good, services: { records: { replica: 3 } } }, "additional properties 'replica' not allowed"],
    ['no replica', { ...good, services: { records: { replicas: 0 } } }, 'minimum: got 0, want 1'],
    ['replicas in words', { ...good, services: { records: { replicas: 'two' } } }, 'got string, want integer'],
    [
      'resources that Kubernetes does not know',
      { ...good, services: { records: { resources: { limits: { gpu: 1 } } } } },
      "additional properties 'gpu' not allowed",
    ],
    [
      'an invalid amount',
      { ...good, services: { records: { resources: { limits: { memory: 'much' } } } } },
      'services.records.resources.limits.memory is "much": it has to be an amount such as',
    ],
    [
      'a variable in lower case',
      { ...good, services: { records: { env: { log_level: 'x' } } } },
      'services.records.env: "log_level" is not a valid variable: use capitals, digits and underscores, for example LOG_LEVEL',
    ],
    [
      'a variable of a secret without its key',
      { ...good, services: { records: { env: { OTEL_EXPORTER_OTLP_HEADERS: { secret: 'collector' } } } } },
      "missing property 'key'",
    ],
    [
      'KEDA for a service without jobs',
      { ...good, services: { gateway: { keda: { enabled: true } } } },
      'services.gateway.keda is for the worker',
    ],
    [
      'two ways to scale the worker',
      { ...good, services: { worker: { keda: { enabled: true }, autoscaling: { enabled: true } } } },
      'services.worker: either autoscaling or keda',
    ],
    [
      'a utilization above 100 percent',
      { ...good, services: { records: { autoscaling: { cpuPercent: 150 } } } },
      'maximum: got 150, want 100',
    ],
    ['a log level that does not exist', { ...good, logLevel: 'verbose' }, 'value must be one of'],
    ['a policy of pulling that does not exist', { ...good, image: { pullPolicy: 'Sometimes' } }, 'value must be one of'],
    [
      'an invalid digest',
      { ...good, image: { digests: { records: 'latest' } } },
      'image.digests.records is "latest": it has to be sha256:',
    ],
    [
      'a public address with a path',
      { ...good, publicUrl: 'https://api.example.com/api/v2' },
      'it has to be a scheme and a host without a path, such as https://api.example.com',
    ],
    [
      'a host with a scheme',
      { ...good, ingress: { enabled: true, host: 'https://api.example.com' } },
      'ingress.host is "https://api.example.com": it has to be a host name alone',
    ],
    ['an ingress without a host', { ...good, ingress: { enabled: true } }, 'ingress.host is missing'],
    ['two copies of a stream', { ...good, nats: { existingSecret: 'n', replicas: 2 } }, 'value must be one of'],
    [
      'a publisher without an institution',
      { ...good, nats: { existingSecret: 'n', publishers: [{ user: 'erp' }] } },
      "missing property 'institution'",
    ],
    [
      'a publisher for an invalid institution',
      { ...good, nats: { existingSecret: 'n', publishers: [{ user: 'erp', institution: '*' }] } },
      'nats.publishers[0].institution is "*": it has to be the id of an institution',
    ],
    [
      'a publisher with the name of a service',
      { ...good, nats: { existingSecret: 'n', publishers: [{ user: 'records', institution: '0b2f7f1e-6f0a-4c0e-9a55-0d9c5b1d2e3f' }] } },
      'nats.publishers[0].user is "records": another user of the bus has this name',
    ],
    [
      'a subscriber of nothing',
      { ...good, nats: { existingSecret: 'n', subscribers: [{ user: 'audit', events: [] }] } },
      'minItems: got 0, want 1',
    ],
    [
      'a subscriber of subjects',
      { ...good, nats: { existingSecret: 'n', subscribers: [{ user: 'audit', events: ['stechuhr.events.>'] }] } },
      'nats.subscribers[0].events is "stechuhr.events.>": it has to be a list of service.entity.verb',
    ],
    [
      'a subscriber with the name of a publisher',
      {
        ...good,
        nats: {
          existingSecret: 'n',
          publishers: [{ user: 'erp', institution: '0b2f7f1e-6f0a-4c0e-9a55-0d9c5b1d2e3f' }],
          subscribers: [{ user: 'erp', events: ['*.*.*'] }],
        },
      },
      'nats.subscribers[0].user is "erp": another user of the bus has this name',
    ],
    [
      'a client of a method that asks further services',
      { ...good, mtls: { clients: [{ name: 'planning', methods: ['stechuhr.exports.v1.ExportsService/RunExport'] }] } },
      'mtls.clients[0].methods: "stechuhr.exports.v1.ExportsService/RunExport" is not open to other teams; these are: stechuhr.records.v1.',
    ],
    [
      'a client with the name of a service',
      { ...good, mtls: { clients: [{ name: 'gateway', methods: ['stechuhr.records.v1.RecordsService/ListEmployees'] }] } },
      'mtls.clients[0].name is "gateway": another certificate has this name',
    ],
    [
      'a client for an invalid institution',
      {
        ...good,
        mtls: { clients: [{ name: 'planning', methods: ['stechuhr.records.v1.RecordsService/ListEmployees'], institutions: ['*'] }] },
      },
      'mtls.clients[0].institutions is "*": it has to be ids of institutions',
    ],
    ['KEDA without NATS’ monitoring', { ...good, services: { worker: { keda: { enabled: true } } } }, 'nats.monitoringEndpoint is missing'],
    [
      'a store without a scheme',
      { ...good, s3: { existingSecret: 's', endpoint: 's3.example.com' } },
      's3.endpoint is "s3.example.com": it has to be a scheme and a host',
    ],
    [
      'a bucket in capitals',
      { ...good, s3: { ...good.s3, bucket: 'Stechuhr' } },
      's3.bucket is "Stechuhr": it has to be 3 to 63 small letters',
    ],
    ['a pattern of secrets without the service', { ...good, mtls: { existingSecrets: 'tls' } }, 'it has to be a name with {service} in it'],
    ['an issuer of another kind', { ...good, mtls: { issuer: { name: 'x', kind: 'Vault' } } }, 'value must be one of'],
    ['a port that does not exist', { ...good, networkPolicy: { servers: { redis: { ports: [70000] } } } }, 'maximum: got 70,000'],
    ['a policy without sources', { ...good, networkPolicy: { monitoring: [] } }, 'minItems: got 0, want 1'],
    [
      'an interval without a unit',
      { ...good, monitoring: { enabled: true, interval: '15' } },
      'monitoring.interval is "15": it has to be a number of seconds or minutes, such as 15s',
    ],
    ['a deadline that is too short for preparing', { ...good, prepareDeadlineSeconds: 5 }, 'minimum: got 5, want 30'],
    ['servers without a seed', { infrastructure: { enabled: true } }, 'infrastructure.seed has to be a secret of at least 16 characters'],
    [
      'servers without addresses in the network policy',
      { ...good, networkPolicy: { servers: { mongodb: there, nats: there, redis: there } } },
      'networkPolicy.servers.s3.to is missing: where it is, such as',
    ],
    ['a pattern of keys without the service', { ...good, s3: { ...good.s3, existingSecrets: 's3' } }, 'such as s3-{service}: each service'],
    ['two servers of NATS', { infrastructure: { enabled: true, seed: SEED, replicas: { nats: 2 } } }, 'value must be one of 1, 3, 5'],
    ['no port of DNS', { ...good, networkPolicy: { dnsPorts: [] } }, 'minItems: got 0, want 1'],
    ['no MongoDB', { ...good, mongodb: {} }, 'mongodb.existingSecret is missing'],
    ['no NATS', { ...good, nats: {} }, 'nats.existingSecret is missing'],
    [
      'a Redis of an unknown kind',
      { ...good, redis: { url: 'redis+ha://a:6379' } },
      'redis.url is "redis+ha://a:6379": it has to be redis://',
    ],
    ['no Redis', { ...good, redis: {} }, 'redis.existingSecret is missing'],
    ['no keys of the store', { ...good, s3: { endpoint: 'https://s3.example.com' } }, 's3.existingSecrets is missing'],
    ['no store', { ...good, s3: { existingSecret: 's' } }, 's3.endpoint is missing'],
  ])('%s is rejected', async (_what, values, message) => {
    await expect(chart.render(values)).rejects.toThrow(message);
  });

  it.each<[string, object, string[]]>([
    [
      'wrong and missing ones',
      { ...good, publicUrl: 'api.example.com', monitoring: { enabled: true, interval: '15' }, nats: {} },
      ['publicUrl', 'monitoring.interval', 'nats.existingSecret'],
    ],
    [
      'all required values for external servers',
      { ingress: { enabled: true }, services: { worker: { keda: { enabled: true } } } },
      [
        'mongodb.existingSecret is missing',
        'nats.existingSecret is missing',
        'redis.existingSecret is missing',
        's3.existingSecrets is missing',
        's3.endpoint is missing',
        'nats.monitoringEndpoint is missing',
        'ingress.host is missing',
        'networkPolicy.servers.mongodb.to is missing',
      ],
    ],
  ])('are all reported in one message: %s', async (_what, values, names) => {
    const refused = chart.render(values);
    for (const name of names) await expect(refused).rejects.toThrow(name);
  });
});

describe('contradictory or empty values, and values that Kubernetes would reject', () => {
  it.each<[string, object, string]>([
    [
      'sharding of a database that the script does not know',
      {
        ...good,
        mongodb: { ...good.mongodb, sharding: { existingSecret: 'admin' } },
        services: { records: { env: { MONGODB_DATABASE: 'months' } } },
      },
      'services.records.env: MONGODB_DATABASE cannot be set with mongodb.sharding',
    ],
    [
      'a minimum number of pods above the maximum',
      { ...good, services: { records: { autoscaling: { enabled: true, minReplicas: 12 } } } },
      'services.records.autoscaling: minReplicas is 12, more than maxReplicas, 10',
    ],
    [
      'a request above its limit',
      { ...good, services: { records: { resources: { requests: { memory: '1Gi' } } } } },
      'services.records.resources: it requests more memory (1Gi) than its limit allows (512Mi)',
    ],
    [
      'a request of CPU above its limit',
      { ...good, services: { records: { resources: { requests: { cpu: 1.5 }, limits: { cpu: '1400m' } } } } },
      'services.records.resources: it requests more cpu (1.5) than its limit allows (1400m)',
    ],
    [
      'certificates from two sources',
      { ...good, mtls: { issuer: { name: 'x' }, existingSecrets: 'tls-{service}' } },
      'mtls: either issuer.name or existingSecrets',
    ],
    ['grants without certificates', { ...good, mtls: { enabled: false, requireGrants: true } }, 'mtls.requireGrants needs mtls.enabled'],
    [
      'clients without certificates',
      {
        ...good,
        mtls: { enabled: false, clients: [{ name: 'planning', methods: ['stechuhr.records.v1.RecordsService/ListEmployees'] }] },
      },
      'mtls.clients needs mtls.enabled',
    ],
    [
      'two addresses of Redis',
      { ...good, redis: { url: 'redis://cache:6379', existingSecret: 'r' } },
      'redis: either url or existingSecret',
    ],
    ['two kinds of keys', { ...good, s3: { ...good.s3, existingSecrets: 's3-{service}' } }, 's3: either existingSecret, one key for all'],
    [
      'an external server in addition to that of the release',
      { infrastructure: { enabled: true, seed: SEED }, redis: { url: 'redis://cache:6379' } },
      'redis.url is for a server of yours, and infrastructure.enabled brings one along',
    ],
    [
      'a variable that the chart sets',
      { ...good, services: { gateway: { env: { PORT: 9090 } } } },
      'services.gateway.env: PORT is set by the chart, and a container cannot have it twice',
    ],
    [
      'two issuers of the ingress’ certificate',
      {
        ...good,
        ingress: { enabled: true, host: 'api.example.com', clusterIssuer: 'x', annotations: { 'cert-manager.io/cluster-issuer': 'x' } },
      },
      'ingress: either clusterIssuer or the annotation cert-manager.io/cluster-issuer',
    ],
    [
      'a label that the chart sets',
      { ...good, monitoring: { enabled: true, labels: { 'app.kubernetes.io/part-of': 'shop' } } },
      'monitoring.labels: app.kubernetes.io/part-of is set by the chart, and an object cannot have it twice',
    ],
    [
      'an annotation that the chart sets',
      { ...good, podAnnotations: { 'checksum/secrets': 'x' } },
      'podAnnotations: checksum/secrets is set by the chart, and a pod cannot have it twice',
    ],
    ['a digest of no image', { ...good, image: { digests: { record: `sha256:${'0'.repeat(64)}` } } }, "invalid propertyName 'record'"],
    ['an interval of nothing', { ...good, monitoring: { enabled: true, interval: '0s' } }, 'monitoring.interval is "0s"'],
    // Alerts compute rates over five minutes, and Prometheus forgets a value after five minutes.
    ...['3m', '5m', '121s', '1000s'].map((interval): [string, object, string] => [
      `an interval of ${interval}, with which alerts have no values`,
      { ...good, monitoring: { enabled: true, interval } },
      `monitoring.interval is "${interval}": it has to be a number of seconds or minutes, such as 15s, of at most 2m`,
    ]),
    ['a collector without ports', { ...good, networkPolicy: { ...good.networkPolicy, collectorPorts: [] } }, 'minItems: got 0, want 1'],
    [
      'an amount with two points',
      { ...good, services: { records: { resources: { limits: { memory: '1.5.5Gi' } } } } },
      'services.records.resources.limits.memory is "1.5.5Gi": it has to be an amount such as',
    ],
    [
      'thousandths of a byte',
      { ...good, services: { records: { resources: { requests: { memory: '256m' }, limits: { memory: '512m' } } } } },
      'services.records.resources.limits.memory is "512m": it has to be an amount such as 250m of cpu or 512Mi of memory',
    ],
    [
      'an autoscaler without a request of CPU, of which it measures a share',
      { ...good, services: { records: { autoscaling: { enabled: true }, resources: { requests: { cpu: null } } } } },
      'services.records.autoscaling needs resources.requests.cpu: cpuPercent is a share of it',
    ],
    [
      'publishers, which the chart creates only in its own NATS',
      { ...good, nats: { ...good.nats, publishers: [{ user: 'erp', institution: '0b2f7f1e-6f0a-4c0e-9a55-0d9c5b1d2e3f' }] } },
      'nats.publishers needs infrastructure.enabled',
    ],
    ['a place that is none', { ...good, networkPolicy: { ...good.networkPolicy, monitoring: [{}] } }, 'minProperties: got 0, want 1'],
    [
      'a network that is a namespace, too',
      { ...good, networkPolicy: { ...good.networkPolicy, clients: [{ ipBlock: { cidr: '10.0.0.0/8' }, namespaceSelector: {} }] } },
      'maxProperties: got 2, want 1',
    ],
    [
      'a network without addresses',
      { ...good, networkPolicy: { ...good.networkPolicy, servers: { ...good.networkPolicy.servers, s3: { to: [{ ipBlock: {} }] } } } },
      "missing property 'cidr'",
    ],
    ['a section that is null', { ...good, telemetry: null }, "missing property 'telemetry'"],
    ['a number that is null', { ...good, drainSeconds: null }, "missing property 'drainSeconds'"],
  ])('%s: rejected', async (_what, values, message) => {
    await expect(chart.render(values)).rejects.toThrow(message);
  });

  it('do not include null if it is the default', async () => {
    const nothing = {
      publicUrl: null,
      image: { digests: null, references: null, pullSecrets: null, tag: null, registry: null },
      podAnnotations: null,
      nodeSelector: null,
      topologyKeys: null,
      tolerations: null,
      ingress: { host: null, tlsSecret: null, annotations: null },
      mongodb: { ...good.mongodb, sharding: { existingSecret: null } },
      nats: { ...good.nats, streams: null, monitoringEndpoint: null, publishers: null, subscribers: null },
      redis: { ...good.redis, url: null },
      s3: { ...good.s3, existingSecrets: null, publicEndpoint: null },
      extraAuthorities: { existingSecret: null },
      mtls: { existingSecrets: null, issuer: { name: null }, renewal: null, requireGrants: null, clients: null, enabled: true },
      networkPolicy: { ...good.networkPolicy, clients: null, publicInternet: null },
      telemetry: { otlpEndpoint: null },
      monitoring: { enabled: true, labels: null },
    };
    const names = async (values: object) => (await chart.render(values)).objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(await names({ ...good, ...nothing })).toEqual(await names({ ...good, monitoring: { enabled: true } }));
  });
});
