import { afterAll, expect, it } from '@jest/globals';
import { createNoopMeter, metrics, type BatchObservableCallback, type Meter } from '@opentelemetry/api';

const callbacks: BatchObservableCallback[] = [];
const meter: Meter = Object.assign(createNoopMeter(), {
  addBatchObservableCallback: (callback: BatchObservableCallback) => void callbacks.push(callback),
});
metrics.setGlobalMeterProvider({ getMeter: () => meter });
// The module uses the provider that is set when it is loaded.
const { observeOutboxes } = await import('./metrics.js');

afterAll(() => metrics.disable());

/** Returns the values of a scrape. */
async function scrape(): Promise<number[]> {
  const values: number[] = [];
  const observe = (_metric: unknown, value: number) => void values.push(value);
  for (const callback of callbacks) await callback({ observe });
  return values;
}

// A scrape that takes too long is lost with all its metrics, and the process counts as down.
it('leaves out the outboxes of a database that does not answer, and has them again when it does', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let reads = 0;
  observeOutboxes(async () => {
    reads += 1;
    await promise;
    return [{ store: 'employees', documents: 3, ageSeconds: 40 }];
  });
  expect(await scrape()).toEqual([]);
  expect(reads).toBe(1);
  resolve();
  expect(await scrape()).toEqual([3, 40]);
});

// The SDK would print what is thrown at each scrape, as it is: errors of drivers have commands and documents attached.
it('leaves out the outboxes of a database that refuses, and has them again when it does not', async () => {
  callbacks.length = 0;
  let isAvailable = false;
  observeOutboxes(() =>
    isAvailable
      ? Promise.resolve([{ store: 'employees', documents: 3, ageSeconds: 40 }])
      : Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:27017')),
  );
  expect(await scrape()).toEqual([]);
  isAvailable = true;
  expect(await scrape()).toEqual([3, 40]);
});
