import { createHash, randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { Client } from 'minio';
import type { Outcome, RunInput } from '../../harness/types.js';

const CHUNK_BYTES = 64 * 1024;
const MIB = 1024 * 1024;

/** The destination of an upload. */
export interface Target {
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly bucket: string;
  readonly key: string;
  readonly sizeBytes: number;
}

/** Yields the chunks to upload, each in its own memory, like the chunks of an export. */
export async function* chunksOf({ sizeBytes }: Target): AsyncGenerator<Buffer, void, undefined> {
  const pattern = Buffer.alloc(CHUNK_BYTES, 'Stechuhr;');
  for (let sent = 0; sent < sizeBytes; sent += CHUNK_BYTES) yield Buffer.from(pattern);
}

export function clientOf({ endpoint, accessKey, secretKey }: Target): Client {
  const { hostname, port } = new URL(endpoint);
  return new Client({ endPoint: hostname, port: Number(port), useSSL: false, accessKey, secretKey, region: 'us-east-1' });
}

/** Measures an upload. The digest is computed from the object that the store returns. */
export async function measuredUpload({ size, values, checking }: RunInput, put: (target: Target) => Promise<unknown>): Promise<Outcome> {
  const text = (name: string): string => String(values[name]);
  const target = {
    endpoint: text('endpoint'),
    accessKey: text('accessKey'),
    secretKey: text('secretKey'),
    bucket: text('bucket'),
    key: `bench/${randomUUID()}`,
    sizeBytes: size * MIB,
  };
  const startedAt = performance.now();
  await put(target);
  const wallMs = performance.now() - startedAt;
  const client = clientOf(target);
  const digest = checking ? { digest: await digestOf(client, target) } : {};
  await client.removeObject(target.bucket, target.key);
  return { ...digest, values: { wallMs } };
}

async function digestOf(client: Client, { bucket, key }: Target): Promise<string> {
  const hash = createHash('md5');
  await pipeline(await client.getObject(bucket, key), hash);
  return hash.digest('hex');
}
