import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { kubernetesVersion, provideTool } from '@stechuhr/local-infra';
import { parseAllDocuments } from 'yaml';

const HELM = fileURLToPath(new URL('../../../helm', import.meta.url));
const run = promisify(execFile);

/** A rendered Kubernetes object. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as many shapes as there are kinds
  readonly [field: string]: any;
}

/** A copy of the chart in a temporary folder, including the packed library chart. */
export interface Chart {
  /**
   * Renders the chart with a value file in `ci` or with values, by default as release `demo` in namespace `shop`.
   * @throws Error with Helm's message
   */
  render(values: string | object, at?: Partial<Installation>): Promise<Rendered>;
  close(): Promise<void>;
}

/** Name and namespace of a release. */
export interface Installation {
  readonly release: string;
  readonly namespace: string;
}

/** The rendered chart. */
export interface Rendered {
  readonly text: string;
  readonly objects: readonly KubernetesObject[];
  /** Returns an object. @throws Error if it does not exist */
  object(kind: string, name: string): KubernetesObject;
  all(kind: string): readonly KubernetesObject[];
}

/** The seed for passwords of servers in tests. */
export const SEED = 'of no installation';

/** Returns the names of the value files in the chart. */
export async function valueFiles(): Promise<string[]> {
  return (await readdir(join(HELM, 'stechuhr', 'ci'))).sort();
}

/** How a test opens the chart. */
interface Opening {
  /** Whether certificates have RSA keys as in an installation. Creating them takes longer than everything else, so only tests that use them want them. */
  readonly hasRealKeys?: boolean;
}

/** Copies the chart. @param edit changes the copy before it is rendered */
export async function openChart(edit: (chart: string) => void = () => {}, { hasRealKeys = false }: Opening = {}): Promise<Chart> {
  const helm = await provideTool('helm');
  const folder = await mkdtemp(join(tmpdir(), 'stechuhr-helm-'));
  await cp(HELM, folder, { recursive: true });
  const chart = join(folder, 'stechuhr');
  if (!hasRealKeys) useQuickKeys(join(chart, 'templates', 'certificates.yaml'));
  edit(chart);
  await run(helm, ['dependency', 'build', chart]);
  return {
    async render(values, { release = 'demo', namespace = 'shop' } = {}) {
      const file = typeof values === 'string' ? join(chart, 'ci', values) : join(folder, 'values.yaml');
      if (typeof values !== 'string') await writeFile(file, JSON.stringify(values));
      const options = ['--namespace', namespace, '--kube-version', kubernetesVersion, '--values', file];
      const { stdout } = await run(helm, ['template', release, chart, ...options], { maxBuffer: 1 << 26 });
      return rendered(stdout);
    },
    close: () => rm(folder, { recursive: true }),
  };
}

/** Lets a template create keys of an elliptic curve, which takes no time. @throws Error if it creates keys in another way than expected */
function useQuickKeys(file: string): void {
  const template = readFileSync(file, 'utf8');
  const quick = template.replace(/\bgen(CA|SignedCert) (.+?) }}/g, 'gen$1WithKey $2 (genPrivateKey "ecdsa") }}');
  if (quick.split('genPrivateKey').length !== 3) throw new Error(`${file} does not create an authority and certificates as expected.`);
  writeFileSync(file, quick);
}

function rendered(text: string): Rendered {
  let parsed: readonly KubernetesObject[] | undefined;
  // Parsing takes as long as rendering, and not every test needs the objects.
  const objects = () => (parsed ??= parseObjects(text));
  return {
    text,
    get objects() {
      return objects();
    },
    all: (kind) => objects().filter((each) => each.kind === kind),
    object(kind, name) {
      const found = objects().find((each) => each.kind === kind && each.metadata.name === name);
      if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
      return found;
    },
  };
}

/** A template whose condition is false leaves an empty document. */
function parseObjects(text: string): readonly KubernetesObject[] {
  const documents = parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject | null);
  return documents.filter((object) => object !== null);
}
