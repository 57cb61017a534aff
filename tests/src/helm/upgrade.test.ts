import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topology } from '@stechuhr/local';
import { openChart, type Chart, type Rendered, SEED } from './chart.js';
import { mayConnect, podLabels } from './flows.js';

/** Helm's default timeout for a hook. */
const HELM_TIMEOUT_S = 300;
const GRPC = 50_051;
const PORTS = { mongodb: 27_017, nats: 4_222 };
const prepared = topology.filter(({ needs }) => needs.includes('mongodb'));
const nameOf = (name: string): string => `demo-stechuhr-${name}`;

let chart: Chart;
let release: Rendered;

beforeAll(async () => {
  chart = await openChart();
  release = await chart.render('development.yaml');
});
afterAll(() => chart.close());

const jobOf = (name: string) => release.object('Job', `${nameOf(name)}-prepare`);
const labelsOf = (kind: string, name: string) => podLabels(release.object(kind, nameOf(name)));

describe('between the pods of a release', () => {
  const callers = [...topology.map(({ name, calls }) => ({ name, calls })), { name: 'toolbox', calls: ['records', 'tasks'] }];

  it.each(callers)('$name can connect to the services that it calls', ({ name, calls }) => {
    for (const peer of calls)
      expect([peer, mayConnect(release, labelsOf('Deployment', name), labelsOf('Deployment', peer), GRPC)]).toEqual([peer, true]);
  });

  it.each(topology)('$name cannot connect to other services', ({ name, calls }) => {
    for (const other of topology.map((each) => each.name).filter((each) => each !== name && !calls.includes(each)))
      expect([other, mayConnect(release, labelsOf('Deployment', name), labelsOf('Deployment', other), GRPC)]).toEqual([other, false]);
  });
});

describe.each(prepared)('before an upgrade, the pod that prepares $name', ({ name }) => {
  it.each(Object.entries(PORTS))('can connect to %s', (server, port) => {
    expect(mayConnect(release, podLabels(jobOf(name)), labelsOf('StatefulSet', server), port)).toBe(true);
  });

  it('does not need certificates and policies, which the upgrade creates after it', () => {
    const { containers, volumes } = jobOf(name)['spec'].template.spec;
    expect(volumes).toEqual([{ name: 'tmp', emptyDir: { sizeLimit: '64Mi' } }]);
    expect(containers[0].env.map((each: { name: string }) => each.name)).not.toContain('GRPC_TLS_FOLDER');
    const selected = release.object('NetworkPolicy', nameOf(name))['spec'].podSelector.matchExpressions[1].values;
    expect(selected).toEqual([name, `${name}-prepare`]);
  });

  it('ends before Helm’s timeout, and keeps its log after a failure', () => {
    expect(jobOf(name)['spec'].activeDeadlineSeconds).toBeLessThan(HELM_TIMEOUT_S);
    expect(jobOf(name).metadata.annotations?.['helm.sh/hook-delete-policy']).toBe('before-hook-creation,hook-succeeded');
  });
});

describe('preparing', () => {
  it('uses the configured deadline and the settings of its service', async () => {
    const values = {
      infrastructure: { enabled: true, seed: SEED },
      prepareDeadlineSeconds: 3_600,
      services: { tasks: { env: { JOB_LEASE_SECONDS: 45 } } },
    };
    const other = await chart.render(values);
    const { spec } = other.object('Job', `${nameOf('tasks')}-prepare`);
    expect(spec.activeDeadlineSeconds).toBe(3_600);
    expect(spec.template.spec.containers[0].env).toContainEqual({ name: 'JOB_LEASE_SECONDS', value: '45' });
  });
});

describe('helm test --logs', () => {
  it('can show the log, because the pod is kept until the next test', () => {
    const { annotations } = release.object('Pod', nameOf('helm-test')).metadata;
    expect(annotations).toEqual({ 'helm.sh/hook': 'test', 'helm.sh/hook-delete-policy': 'before-hook-creation' });
  });
});
