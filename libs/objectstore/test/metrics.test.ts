import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { createNoopMeter, metrics, type Meter } from '@opentelemetry/api';
import { freePort, startS3 } from '@stechuhr/local-infra';

/** The recorded outcomes by operation. */
const recorded: unknown[] = [];
const meter: Meter = Object.assign(createNoopMeter(), {
  createHistogram: () => ({ record: (_seconds: number, attributes: object) => void recorded.push(attributes) }),
});
metrics.setGlobalMeterProvider({ getMeter: () => meter });
// The module uses the provider that is set when it is loaded.
const { connectObjectStore } = await import('@stechuhr/objectstore');

const bucket = `test-${randomBytes(4).toString('hex')}`;
const CHUNK = new Uint8Array(4 * 1024 * 1024);

let server: Awaited<ReturnType<typeof startS3>>;

beforeAll(async () => {
  server = await startS3();
  await connectObjectStore({ ...server.address, bucket }).ensureBucket();
});
beforeEach(() => void recorded.splice(0));
afterAll(async () => {
  await server.stop();
  metrics.disable();
});

/** Yields chunks of 4 MiB, and then fails. */
async function* failingAfter(chunks: number): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < chunks; n += 1) yield CHUNK;
  throw new Error('records is unavailable');
}

async function* chunks(count: number): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < count; n += 1) yield CHUNK;
}

describe('an upload', () => {
  it('that the store accepts is done', async () => {
    await connectObjectStore({ ...server.address, bucket }).putStream('done', chunks(1), 'text/csv');
    expect(recorded).toEqual([{ operation: 'put', outcome: 'done' }]);
  });

  // The first part is sent only when there are more than 8 MiB.
  it.each([0, 1, 4])('whose source fails after %i chunks was interrupted: the store did not fail', async (count) => {
    const store = connectObjectStore({ ...server.address, bucket });
    await expect(store.putStream('interrupted', failingAfter(count), 'text/csv')).rejects.toThrow('records is unavailable');
    expect(recorded).toEqual([{ operation: 'put', outcome: 'interrupted' }]);
  });

  it.each([1, 4])('of %i chunks to a store that is unavailable has failed', async (count) => {
    const endpoint = `http://127.0.0.1:${await freePort()}`;
    await expect(
      connectObjectStore({ ...server.address, endpoint, bucket }).putStream('failed', chunks(count), 'text/csv'),
    ).rejects.toThrow();
    expect(recorded).toEqual([{ operation: 'put', outcome: 'failed' }]);
  });
});
