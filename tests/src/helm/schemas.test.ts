import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { provideTool } from '@stechuhr/local-infra';
import { openChart, valueFiles, type Chart, type Rendered } from './chart.js';
import { schemaLocation, writeSchemas } from './schemas.js';

const run = promisify(execFile);
const files = await valueFiles();

/** The result of kubeconform for one object. */
interface Verdict {
  readonly filename: string;
  readonly kind: string;
  readonly name: string;
  readonly status: 'statusValid' | 'statusInvalid' | 'statusError' | 'statusSkipped';
  readonly msg: string;
}

const BROKEN = {
  'misspelt.yaml': (text: string) => text.replace('terminationGracePeriodSeconds:', 'terminationGracePeriod:'),
  'wrong-type.yaml': (text: string) => text.replace('revisionHistoryLimit: 5', 'revisionHistoryLimit: five'),
  'wrong-custom-resource.yaml': (text: string) => text.replace('minReplicaCount:', 'minReplicas:'),
};

let chart: Chart;
let folder: string;
let verdicts: readonly Verdict[];
let rendered: Readonly<Record<string, Rendered>>;

beforeAll(async () => {
  [chart, folder] = await Promise.all([openChart(), mkdtemp(join(tmpdir(), 'stechuhr-schemas-'))]);
  rendered = Object.fromEntries(await Promise.all(files.map(async (file) => [file, await chart.render(file)] as const)));
  const kinds = new Set(Object.values(rendered).flatMap(({ objects }) => objects.map(({ kind }) => kind)));
  await writeSchemas(join(folder, 'schemas'), kinds);
  const manifests = Object.entries(rendered).map(([file, { text }]) => [file, text] as const);
  const base = rendered['autoscaling.yaml']?.text ?? '';
  const broken = Object.entries(BROKEN).map(([file, spoil]) => [file, spoil(base)] as const);
  await Promise.all([...manifests, ...broken].map(([file, text]) => writeFile(join(folder, file), text)));
  verdicts = await judge([...files, ...Object.keys(BROKEN)].map((file) => join(folder, file)));
});

afterAll(async () => {
  await chart.close();
  await rm(folder, { recursive: true });
});

async function judge(paths: readonly string[]): Promise<Verdict[]> {
  const options = ['-strict', '-verbose', '-output', 'json', '-schema-location', schemaLocation(join(folder, 'schemas'))];
  const kubeconform = await provideTool('kubeconform');
  const settled = await Promise.allSettled([run(kubeconform, [...options, ...paths], { maxBuffer: 1 << 26 })]);
  const [outcome] = settled;
  // kubeconform fails if an object is invalid, but prints its results in any case.
  const { stdout } = outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as { readonly stdout: string });
  return (JSON.parse(stdout) as { readonly resources: readonly Verdict[] }).resources.map((verdict) => ({
    ...verdict,
    filename: basename(verdict.filename),
  }));
}

const problemsOf = (file: string): string[] =>
  verdicts
    .filter(({ filename, status }) => filename === file && status !== 'statusValid')
    .map(({ kind, name, status, msg }) => `${kind} ${name}: ${status} ${msg}`);

describe('the rendered chart', () => {
  it('is rendered for at least eight kinds of installation', () => {
    expect(files.length).toBeGreaterThanOrEqual(8);
  });

  it.each(files)('is valid for Kubernetes with %s', (file) => {
    expect(problemsOf(file)).toEqual([]);
    expect(verdicts.filter(({ filename }) => filename === file)).toHaveLength(rendered[file]?.objects.length ?? 0);
  });

  it.each(Object.keys(BROKEN))('would be rejected with an error: %s', (file) => {
    expect(problemsOf(file)).toHaveLength(1);
  });
});
