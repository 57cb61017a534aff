import { describe, expect, it } from '@jest/globals';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { views } from './views.js';

class OnDemand extends MetricReader {
  protected override onForceFlush = (): Promise<void> => Promise.resolve();
  protected override onShutdown = (): Promise<void> => Promise.resolve();
}

/** Returns the labels of all series of one instrument. */
async function labelsAfter(name: string, labels: readonly Record<string, string>[]): Promise<readonly object[]> {
  const reader = new OnDemand();
  const provider = new MeterProvider({ readers: [reader], views: [...views] });
  const counter = provider.getMeter('test').createCounter(name);
  for (const one of labels) counter.add(1, one);
  const { resourceMetrics } = await reader.collect();
  await provider.shutdown();
  return resourceMetrics.scopeMetrics.flatMap(({ metrics }) =>
    metrics.flatMap(({ dataPoints }) => dataPoints.map((point) => point.attributes)),
  );
}

describe('the views', () => {
  it('keep each of the institutions that the gateway names', async () => {
    const classes = ['2xx', '3xx', '4xx', '5xx'];
    const labels = Array.from({ length: 5_000 }, (_, n) =>
      classes.map((status) => ({ institution: `institution-${String(n)}`, status })),
    ).flat();
    expect(await labelsAfter('stechuhr.tenant.requests', labels)).toEqual(labels);
  });

  it('leave hosts that institutions choose out of the labels', async () => {
    const host = { 'server.address': 'hooks.example.com', 'server.port': '443' };
    expect(await labelsAfter('http.client.request.duration', [{ method: 'POST', ...host }])).toEqual([{ method: 'POST' }]);
  });
});
