import { createNoopMeter, metrics, type Meter } from '@opentelemetry/api';
import { afterAll, expect, it } from '@jest/globals';
import { formats } from '@stechuhr/exporting';

const counted: [name: string, value: number, attributes: unknown][] = [];
const counter = (name: string) => ({ add: (value: number, attributes: unknown) => void counted.push([name, value, attributes]) });
const meter: Meter = Object.assign(createNoopMeter(), { createCounter: counter, createUpDownCounter: counter });
metrics.setGlobalMeterProvider({ getMeter: () => meter });
// The module uses the provider that is set when it is loaded.
const { measureRun } = await import('./measure-run.js');

const begun = counted.splice(0);
afterAll(() => metrics.disable());

// Many processes write a format once a month: `rate` would never see it.
it('counts rows and bytes of each format from 0', async () => {
  const counters = ['stechuhr.exports.rows', 'stechuhr.exports.bytes'];
  for (const { id } of formats) expect(begun).toEqual(expect.arrayContaining(counters.map((name) => [name, 0, { 'export.format': id }])));
  const stats = { rows: 3 };
  const chunks = (async function* () {
    yield new Uint8Array(10);
  })();
  for await (const chunk of measureRun(chunks, { stats, format: 'csv' })) expect(chunk).toHaveLength(10);
  const attributes = { 'export.format': 'csv' };
  expect(counted).toEqual([
    ['stechuhr.exports.running', 1, attributes],
    ['stechuhr.exports.rows', 3, attributes],
    ['stechuhr.exports.bytes', 10, attributes],
    ['stechuhr.exports.running', -1, attributes],
  ]);
});
