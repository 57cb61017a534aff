import { randomBytes } from 'node:crypto';
import { connectObjectStore, type Bucket } from '@stechuhr/objectstore';
import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';

const CHUNK = randomBytes(64 * 1024);

/** Only uploads the same number of bytes to the same object store. */
export const run: Run = async ({ values }) => {
  const { bucket, bytes } = platformValues<{ readonly bucket: Bucket; readonly bytes: number }>(values);
  const store = connectObjectStore(bucket);
  const startedAt = performance.now();
  await store.putStream('bench/upload', chunksOf(bytes), 'text/csv');
  const wallMs = performance.now() - startedAt;
  await store.remove('bench/upload');
  return { values: { wallMs } };
};

async function* chunksOf(bytes: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < bytes; sent += CHUNK.length) yield CHUNK;
}
