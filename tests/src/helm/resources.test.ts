import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openChart, type Chart, type KubernetesObject, type Rendered } from './chart.js';

/** Resources of a laptop's node, minus those of system pods and the kubelet. */
const CORES = 2 - 0.3;
const MEMORY_MIB = 4_096 - 512;

interface Amount {
  readonly cpu: number;
  readonly memory: number;
}

let chart: Chart;
let development: Rendered;

beforeAll(async () => {
  chart = await openChart();
  development = await chart.render('development.yaml');
});
afterAll(() => chart.close());

const cores = (text: string | number): number => (`${text}`.endsWith('m') ? Number(`${text}`.slice(0, -1)) / 1_000 : Number(text));

function mebibytes(text: string): number {
  const [, amount = '', unit = ''] = /^(\d+)(Mi|Gi)$/.exec(text) ?? [];
  return Number(amount) * (unit === 'Gi' ? 1_024 : 1);
}

/** Returns the resource requests of the pods of an object. */
function requested(object: KubernetesObject): Amount {
  const spec = object.kind === 'Pod' ? object['spec'] : object['spec'].template.spec;
  const requests = (spec.containers as { resources: { requests: { cpu: string; memory: string } } }[]).map(
    ({ resources }) => resources.requests,
  );
  const pods = object['spec'].replicas ?? 1;
  return {
    cpu: pods * requests.reduce((sum, { cpu }) => sum + cores(cpu), 0),
    memory: pods * requests.reduce((sum, { memory }) => sum + mebibytes(memory), 0),
  };
}

const total = (objects: readonly KubernetesObject[]): Amount =>
  objects.map(requested).reduce((sum, { cpu, memory }) => ({ cpu: sum.cpu + cpu, memory: sum.memory + memory }), { cpu: 0, memory: 0 });

describe('ci/development.yaml on a node of two cores and four gigabytes', () => {
  const longRunning = (): KubernetesObject[] => ['Deployment', 'StatefulSet'].flatMap((kind) => [...development.all(kind)]);

  it('fits, with servers and toolbox, while an upgrade runs two pods of every Deployment', () => {
    const { cpu, memory } = total([...longRunning(), ...development.all('Deployment')]);
    expect(cpu).toBeLessThanOrEqual(CORES);
    expect(memory).toBeLessThanOrEqual(MEMORY_MIB);
  });

  it('leaves resources for the pod of a hook', () => {
    const hooks = [...development.all('Job'), ...development.all('Pod')];
    expect(hooks.length).toBeGreaterThan(6);
    const rest = total(longRunning());
    for (const hook of hooks) expect(rest.cpu + requested(hook).cpu).toBeLessThanOrEqual(CORES);
  });
});
