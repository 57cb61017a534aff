import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { openChart, SEED, type Chart, type Installation } from './chart.js';

/** Names that are valid in Kubernetes, but that YAML parses as a number, a boolean or null if they are not quoted. */
const LOOKALIKES = ['123', '1e3', '0o7', 'true', 'null', 'yes'];
/** A text that does not occur in other values. */
const WORD = 'plainword';

const there = { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] };
const method = 'stechuhr.records.v1.RecordsService/ListEmployees';
const institution = '0b2f7f1e-6f0a-4c0e-9a55-0d9c5b1d2e3f';

/** Returns values with the text in all text fields, for external servers. */
const external = (text: string): object => ({
  image: { registry: text, repository: text, tag: text, pullSecrets: [text], references: { records: text } },
  podAnnotations: { note: text },
  nodeSelector: { pool: text },
  topologyKeys: [text],
  services: { records: { env: { NOTE: text, SECRET: { secret: text, key: text } } } },
  publicUrl: `https://${text}`,
  ingress: { enabled: true, className: text, host: text, tlsSecret: text, clusterIssuer: text, annotations: { note: text } },
  mongodb: { existingSecret: text, sharding: { existingSecret: text } },
  nats: { existingSecret: text, monitoringEndpoint: `${text}:8222`, account: text },
  redis: { existingSecret: text },
  s3: { existingSecrets: `${text}-{service}`, endpoint: `https://${text}`, publicEndpoint: `https://${text}`, region: text, bucket: text },
  extraAuthorities: { existingSecret: text, key: text },
  mtls: { issuer: { name: text }, clients: [{ name: text, methods: [method], institutions: [institution] }] },
  networkPolicy: { servers: { mongodb: there, nats: there, redis: there, s3: there } },
  telemetry: { otlpEndpoint: `http://${text}:4318` },
  monitoring: { enabled: true, labels: { release: text }, runbook: text },
  toolbox: { enabled: true },
});

/** Returns values with the text in all text fields, for servers of the release. */
const own = (text: string): object => ({
  infrastructure: { enabled: true, seed: SEED, images: { mongodb: text, nats: text, redis: text, minio: text } },
  nats: { publishers: [{ user: `${text}-1`, institution }], subscribers: [{ user: text, events: ['*.*.*'] }] },
  s3: { bucket: text },
  mtls: { enabled: false },
});

let chart: Chart;

beforeAll(async () => {
  chart = await openChart();
});

afterAll(() => chart.close());

/**
 * Renders and parses objects as YAML 1.1, like Helm and the API server. Passwords and dashboard ids, which depend on release and namespace,
 * are replaced by a constant.
 */
async function objects(values: object, at: Partial<Installation>): Promise<unknown[]> {
  const { text } = await chart.render(values, at);
  return parseAllDocuments(text.replace(/[0-9a-f]{32}|(?<=-)[0-9a-f]{8}(?=")/g, 'hash'), { version: '1.1' }).map(
    (document) => document.toJS() as unknown,
  );
}

/** Yields the paths at which two objects rendered with different texts differ in more than the text. */
function* differences(plain: unknown, odd: unknown, text: string, path: string): Generator<string> {
  if (typeof plain === 'string') {
    if (plain.includes(WORD) && odd !== plain.replaceAll(WORD, text)) yield `${path}: ${JSON.stringify(odd)}`;
  } else if (typeof plain === 'object' && plain !== null) {
    const others = (odd ?? {}) as Record<string, unknown>;
    for (const [key, value] of Object.entries(plain)) {
      yield* differences(value, others[key.replaceAll(WORD, text)], text, `${path}/${key}`);
    }
  }
}

type Values = (text: string) => object;
type Place = 'namespace' | 'release';

const plains = new Map<string, Promise<unknown[]>>();

/** Returns differences other than the text, which is also used as the name of the namespace or of the release. */
async function differencesWith(values: Values, text: string, place: Place): Promise<string[]> {
  const key = `${values.name} ${place}`;
  const plain = plains.get(key) ?? objects(values(WORD), { [place]: WORD });
  plains.set(key, plain);
  return [...differences(await plain, await objects(values(text), { [place]: text }), text, '')];
}

describe.each(LOOKALIKES)('the value %s', (text) => {
  it('is quoted with external servers', async () => {
    expect(await differencesWith(external, text, 'namespace')).toEqual([]);
  });

  it('is quoted with servers of the release', async () => {
    expect(await differencesWith(own, text, 'namespace')).toEqual([]);
  });
});

it('a large number is not written in scientific notation', async () => {
  const worker = { env: { MOST: 10_000_000 }, resources: { limits: { memory: 536_870_912 } } };
  const release = await chart.render({ ...own(WORD), services: { worker }, prepareDeadlineSeconds: 1_000_000 });
  const [container] = release.object('Deployment', 'demo-stechuhr-worker')['spec'].template.spec.containers;
  expect(container.env).toContainEqual({ name: 'MOST', value: '10000000' });
  expect(container.resources.limits.memory).toBe(536_870_912);
  expect(release.text).toContain('activeDeadlineSeconds: 1000000\n');
});

describe('the name of a release', () => {
  it.each(['true', 'yes'])('may be %s', async (text) => {
    expect(await differencesWith(own, text, 'release')).toEqual([]);
    expect(await differencesWith(external, text, 'release')).toEqual([]);
  });

  // Names of Services are more restricted than names of releases.
  it.each(['123', '1e3', 'my.shop'])('is rejected if it is invalid as the name of a Service: %s', async (release) => {
    await expect(chart.render(own(WORD), { release })).rejects.toThrow(
      `the release is called ${release}, and so would Services be: their names begin with a letter and have small letters, digits and hyphens`,
    );
  });
});
