import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createNoopMeter, metrics, type Meter } from '@opentelemetry/api';
import { AppError } from '@stechuhr/kernel';
import { waitFor } from '@stechuhr/testing';
import { exportOf } from './support/backends.js';
import type { TestGateway } from './support/gateway.js';
import { call, open } from './support/http.js';

/** What was counted: the counter and the status class. */
const counted: string[] = [];
const another = createNoopMeter().createCounter('');
const counters = new Map(
  ['stechuhr.responses', 'stechuhr.tenant.requests'].map((name) => [
    name,
    { add: (count: number, { status }: { readonly status: string }) => void (count === 1 && counted.push(`${name} ${status}`)) },
  ]),
);
const meter: Meter = Object.assign(createNoopMeter(), { createCounter: (name: string) => counters.get(name) ?? another });
metrics.setGlobalMeterProvider({ getMeter: () => meter });
// The modules use the provider that is set when they are loaded.
const { startTestGateway } = await import('./support/gateway.js');

const EXPORT = '/api/v2/exports/generic/';
const CHUNK = 'x'.repeat(64 * 1024);

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMIT_PER_MINUTE: '0', EXPORT_RATE_LIMIT_PER_MINUTE: '0' });
  token = (await gateway.issue()).token;
});
afterAll(async () => {
  await gateway.stop();
  metrics.disable();
});
beforeEach(() => void counted.splice(0));

/** Waits until the response has been counted by both counters. */
const outcome = async () => waitFor(() => counted.length > 1 && counted.toSorted());
const both = (status: string) => [`stechuhr.responses ${status}`, `stechuhr.tenant.requests ${status}`];

it('counts a complete export as 2xx', async () => {
  expect(await call(gateway.port, EXPORT, { token })).toMatchObject({ status: 200 });
  expect(await outcome()).toEqual(both('2xx'));
});

// The objectives and their alerts look at these counters: a file that ends in the middle is of no more use than a 503.
it.each([
  ['an error', new Error('broken')],
  ['a service that is lost', new AppError('unavailable', 'exports is unavailable.')],
])('counts an export that is broken off by %s as 5xx', async (_, failure) => {
  gateway.backends.runExport = () => exportOf(failing(failure));
  const response = await open(gateway.port, EXPORT, { token });
  expect(response.statusCode).toBe(200);
  await expect(response.resume().toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(await outcome()).toEqual(both('5xx'));
});

it('counts an export that the client breaks off as 2xx', async () => {
  gateway.backends.runExport = () => exportOf(endless());
  const response = await open(gateway.port, EXPORT, { token });
  response.once('error', () => undefined);
  response.destroy();
  expect(await outcome()).toEqual(both('2xx'));
});

async function* failing(failure: Error): AsyncGenerator<string, void, undefined> {
  yield CHUNK;
  throw failure;
}

async function* endless(): AsyncGenerator<string, void, undefined> {
  for (;;) yield CHUNK;
}
