import { beforeEach, describe, expect, it } from '@jest/globals';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { MetricsExporter } from './metrics-exporter.js';

let exporter: MetricsExporter;
/** What the gauges show, by label; a gauge without an entry is not observed. */
let shown: Readonly<Record<string, number>>;

beforeEach(() => {
  exporter = new MetricsExporter();
  const meter = new MeterProvider({ readers: [exporter] }).getMeter('test');
  meter.createObservableGauge('backlog').addCallback(async (result) => {
    await Promise.resolve();
    for (const [durable, value] of Object.entries(shown)) result.observe(value, { durable });
  });
  meter.createCounter('handled').add(3);
});

async function scraped(): Promise<Readonly<Record<string, unknown>>> {
  const { resourceMetrics } = await exporter.collect();
  const points = resourceMetrics.scopeMetrics.flatMap(({ metrics }) =>
    metrics.flatMap(({ descriptor, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => ({ name: descriptor.name, attributes, value })),
    ),
  );
  return Object.fromEntries(points.map(({ name, attributes, value }) => [String(attributes.durable ?? name), value]));
}

describe('a scrape', () => {
  it('has the gauges that are observed, and no old values', async () => {
    shown = { one: 5, two: 7 };
    expect(await scraped()).toEqual({ handled: 3, one: 5, two: 7 });
    expect(await scraped()).toEqual({ handled: 3, one: 5, two: 7 });
    shown = { two: 6 };
    expect(await scraped()).toEqual({ handled: 3, two: 6 });
    shown = {};
    expect(await scraped()).toEqual({ handled: 3 });
    shown = { one: 0 };
    expect(await scraped()).toEqual({ handled: 3, one: 0 });
  });

  it('has all of them, also if several begin at the same time', async () => {
    shown = { one: 5, two: 7 };
    const all = await Promise.all([scraped(), scraped(), scraped()]);
    expect(all).toEqual([1, 2, 3].map(() => ({ handled: 3, one: 5, two: 7 })));
  });
});
