import { afterAll, expect, it } from '@jest/globals';
import { createNoopMeter, metrics, type Meter } from '@opentelemetry/api';

const counted: [name: string, value: number, attributes: unknown][] = [];
const meter: Meter = Object.assign(createNoopMeter(), {
  createCounter: (name: string) => ({ add: (value: number, attributes: unknown) => void counted.push([name, value, attributes]) }),
});
metrics.setGlobalMeterProvider({ getMeter: () => meter });
// The module uses the provider that is set when it is loaded.
const { countPublished } = await import('./metrics.js');

const begun = counted.splice(0);
afterAll(() => metrics.disable());

it('counts messages by kind and result, each from 0', () => {
  const kinds = ['events', 'jobs', 'handovers', 'deletions', 'dead'];
  const zeros = kinds.flatMap((kind) => ['ok', 'failed'].map((result) => ['stechuhr.bus.published', 0, { kind, result }]));
  expect(begun).toEqual(zeros);
  countPublished('stechuhr.events.3f0c2a10-0000-4000-8000-000000000001.records.employee.changed', 'ok');
  countPublished('stechuhr.jobs.export', 'failed');
  expect(counted).toEqual([
    ['stechuhr.bus.published', 1, { kind: 'events', result: 'ok' }],
    ['stechuhr.bus.published', 1, { kind: 'jobs', result: 'failed' }],
  ]);
});
