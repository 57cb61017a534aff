import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openChart, SEED, type Chart, type KubernetesObject } from './chart.js';

const VALUES = { infrastructure: { enabled: true, seed: SEED } };
const NAME = 'demo-stechuhr-records-tls';
const DAY_S = 86_400;

let chart: Chart;
let folder: string;

beforeAll(async () => {
  // `helm template` does not query a cluster, so existing objects are read from files.
  chart = await openChart(
    (path) => {
      folder = join(path, 'cluster');
      mkdirSync(folder);
      const file = join(path, 'templates/certificates.yaml');
      const lookup = /lookup "v1" "Secret" \S+ (\$\w+)/g;
      const text = readFileSync(file, 'utf8').replace(lookup, '($$.Files.Get (printf "cluster/%s.json" $1) | default "{}" | fromJson)');
      writeFileSync(file, text);
    },
    { hasRealKeys: true },
  );
});
afterAll(() => chart.close());

const secrets = async (values: object = VALUES): Promise<readonly KubernetesObject[]> =>
  (await chart.render(values)).all('Secret').filter(({ metadata }) => metadata.name.endsWith('-tls'));

/** Stores secrets as existing objects of the cluster. @param ageS age of the certificates in seconds */
function install(all: readonly KubernetesObject[], ageS: number): void {
  const issuedAt = String(Math.floor(Date.now() / 1_000) - ageS);
  for (const { metadata, ...secret } of all) {
    const { annotations } = metadata;
    const given = 'stechuhr/issued-at' in (annotations ?? {}) ? { ...annotations, 'stechuhr/issued-at': issuedAt } : annotations;
    writeFileSync(join(folder, `${metadata.name}.json`), JSON.stringify({ ...secret, metadata: { ...metadata, annotations: given } }));
  }
}

const dataOf = (all: readonly KubernetesObject[], name = NAME): unknown => all.find(({ metadata }) => metadata.name === name)?.['data'];

describe('an upgrade', () => {
  let installed: readonly KubernetesObject[];

  beforeAll(async () => {
    installed = await secrets();
  });

  it('keeps young certificates and their CA', async () => {
    install(installed, 89 * DAY_S);
    const upgraded = await secrets();
    for (const { metadata } of installed) expect(dataOf(upgraded, metadata.name)).toEqual(dataOf(installed, metadata.name));
  });

  it('renews old certificates with the same CA', async () => {
    install(installed, 91 * DAY_S);
    const upgraded = await secrets();
    expect(dataOf(upgraded)).not.toEqual(dataOf(installed));
    expect(dataOf(upgraded)).toMatchObject({ 'ca.crt': (dataOf(installed) as { 'ca.crt': string })['ca.crt'] });
    install(upgraded, 0);
    expect(dataOf(await secrets())).toEqual(dataOf(upgraded));
  });

  it('renews all certificates on request', async () => {
    install(installed, 0);
    expect(dataOf(await secrets({ ...VALUES, mtls: { renewal: 'now' } }))).not.toEqual(dataOf(installed));
  });
});
