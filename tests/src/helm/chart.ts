import { execFile } from 'node:child_process';
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

/** Copies the chart. @param edit changes the copy before it is rendered */
export async function openChart(edit: (chart: string) => void = () => {}): Promise<Chart> {
  const helm = await provideTool('helm');
  const folder = await mkdtemp(join(tmpdir(), 'stechuhr-helm-'));
  await cp(HELM, folder, { recursive: true });
  const chart = join(folder, 'stechuhr');
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

function rendered(text: string): Rendered {
  // A template whose condition is false leaves an empty document.
  const documents = parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject | null);
  const objects = documents.filter((object) => object !== null);
  return {
    text,
    objects,
    all: (kind) => objects.filter((each) => each.kind === kind),
    object(kind, name) {
      const found = objects.find((each) => each.kind === kind && each.metadata.name === name);
      if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
      return found;
    },
  };
}
