import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openChart, SEED, type Chart, type Rendered } from './chart.js';

const OWN = { infrastructure: { enabled: true, seed: SEED } };
const nameOf = (service: string): string => `demo-stechuhr-${service}`;

let chart: Chart;

beforeAll(async () => {
  chart = await openChart();
});

afterAll(() => chart.close());

/** The variables of a pod's first container that are no secrets. */
function variables(release: Rendered, service: string): Readonly<Record<string, string>> {
  const [{ env }] = release.object('Deployment', nameOf(service))['spec'].template.spec.containers;
  const set = (env as { readonly name: string; readonly value?: string }[]).filter(({ value }) => value !== undefined);
  return Object.fromEntries(set.map(({ name, value = '' }) => [name, value]));
}

describe('where a pod listens', () => {
  const listening = (release: Rendered, service: string) =>
    Object.fromEntries(Object.entries(variables(release, service)).filter(([name]) => /HOST$|BIND$/.test(name)));

  it('is every address of IPv4 by default, for peers, probes and Prometheus', async () => {
    const release = await chart.render(OWN);
    expect(listening(release, 'records')).toEqual({ ADMIN_HOST: '0.0.0.0', GRPC_BIND: '0.0.0.0:50051', GRPC_HEALTH_BIND: '0.0.0.0:50052' });
    expect(listening(release, 'gateway')).toEqual({ ADMIN_HOST: '0.0.0.0', HOST: '0.0.0.0' });
  });

  it('is the same for all of its ports: in a cluster with IPv6 only there is no other address', async () => {
    const release = await chart.render({ ...OWN, adminHost: '::' });
    expect(listening(release, 'records')).toEqual({ ADMIN_HOST: '::', GRPC_BIND: '[::]:50051', GRPC_HEALTH_BIND: '[::]:50052' });
    expect(listening(release, 'gateway')).toEqual({ ADMIN_HOST: '::', HOST: '::' });
    expect(listening(release, 'worker')).toEqual({ ADMIN_HOST: '::' });
  });
});
