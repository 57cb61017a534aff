import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { createNoopMeter, metrics, type Meter } from '@opentelemetry/api';

interface Labels {
  readonly 'rpc.method': string;
  readonly caller: string;
  readonly flaw: string;
}

const counted: (Labels & { readonly value: number })[] = [];
const meter: Meter = Object.assign(createNoopMeter(), {
  createCounter: () => ({ add: (value: number, labels: Labels) => void counted.push({ value, ...labels }) }),
});
metrics.setGlobalMeterProvider({ getMeter: () => meter });
// The module uses the provider that is set when it is loaded.
const { grantCheck } = await import('./require-grants.js');

const READ = '/stechuhr.records.v1.RecordsService/ReadTimeRecords';
const PROJECTS = '/stechuhr.records.v1.RecordsService/ListProjects';
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

beforeEach(() => void counted.splice(0));
afterAll(() => metrics.disable());

it('counts each flaw from 0, for the callers that need a grant', () => {
  grantCheck({ paths: [READ, PROJECTS, '/grpc.health.v1.Health/Check'], tlsFolder: 'none', requireGrants: false, logger: silent });
  expect(counted.every(({ value }) => value === 0)).toBe(true);
  const pairs = new Set(counted.map(({ caller, ['rpc.method']: method }) => `${caller} ${method.split('/')[1] ?? ''}`));
  // The worker may sign grants, and daily-reports may list projects without one.
  expect([...pairs]).toEqual([
    'absence-rules ReadTimeRecords',
    'exports ReadTimeRecords',
    'reviews ReadTimeRecords',
    'exports ListProjects',
  ]);
  expect(counted.length).toBe(4 * 7);
});

it('adds one to a series that began with 0', () => {
  const problemOf = grantCheck({ paths: [READ], tlsFolder: 'none', requireGrants: true, logger: silent });
  const begun = counted.splice(0).map(({ value: _, ...labels }) => labels);
  expect(problemOf({ path: READ, caller: 'exports', grant: undefined, message: {} })).toMatch(/no grant came with it/);
  expect(counted).toEqual([{ value: 1, ...begun.find(({ caller, flaw }) => caller === 'exports' && flaw === 'no grant came with it') }]);
});
