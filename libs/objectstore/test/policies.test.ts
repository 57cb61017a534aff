import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'minio';
import { startS3 } from '@stechuhr/local-infra';
import { connectObjectStore, type ObjectStore } from '@stechuhr/objectstore';

interface Policy {
  readonly Version: string;
  readonly Statement: readonly { readonly Effect: string; readonly Action: readonly string[]; readonly Resource: readonly string[] }[];
}

const FILE = new URL('../../../helm/stechuhr/files/s3-policies.json', import.meta.url);
const policies = JSON.parse(readFileSync(FILE, 'utf8')) as Readonly<Record<string, Policy>>;
const BIG = 20 * 1024 * 1024;
const bucket = `policies-${randomBytes(4).toString('hex')}`;

let server: Awaited<ReturnType<typeof startS3>>;
let administrator: Client;
let everything: ObjectStore;
let service: ObjectStore;

beforeAll(async () => {
  server = await startS3();
  const { hostname, port } = new URL(server.address.endpoint);
  const { accessKey, secretKey } = server.address;
  administrator = new Client({ endPoint: hostname, port: Number(port), useSSL: false, accessKey, secretKey });
  everything = connectObjectStore({ ...server.address, bucket });
  // Anonymous: it has the permissions that the bucket grants everybody, which each test sets to the policy of a service.
  service = connectObjectStore({ ...server.address, accessKey: '', secretKey: '', bucket });
  await everything.ensureBucket();
});
afterAll(() => server.stop());

async function as(name: string): Promise<ObjectStore> {
  const policy = policies[name];
  if (policy === undefined) throw new Error(`There is no policy of ${name}.`);
  const text = JSON.stringify({ ...policy, Statement: policy.Statement.map((rule) => ({ ...rule, Principal: { AWS: ['*'] } })) });
  await administrator.setBucketPolicy(bucket, text.replaceAll('BUCKET', bucket));
  return service;
}

async function* bytes(count: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < count; sent += 1024 * 1024) yield new Uint8Array(Math.min(1024 * 1024, count - sent));
}

const put = (store: ObjectStore, key: string, count = 3): Promise<number> => store.putStream(key, bytes(count), 'text/plain');
const read = async (store: ObjectStore, key: string): Promise<unknown> =>
  (await store.getStream(key, new AbortController().signal)).resume().once('error', () => undefined);
const DENIED = /Access ?Denied|403|Forbidden/i;

describe('the policy of the worker', () => {
  it('allows storing files, also in parts, and removing them', async () => {
    const store = await as('worker');
    await store.ensureBucket();
    expect(await put(store, 'exports/a/1.csv')).toBe(3);
    expect(await put(store, 'exports/a/2.csv', BIG)).toBe(BIG);
    await store.remove('exports/a/1.csv');
  });

  it('allows neither reading files nor accessing photos', async () => {
    const store = await as('worker');
    await put(everything, 'exports/b/1.csv');
    await put(everything, 'uploads/b/1.jpg');
    await expect(read(store, 'exports/b/1.csv')).rejects.toThrow(DENIED);
    await expect(read(store, 'uploads/b/1.jpg')).rejects.toThrow(DENIED);
    await expect(put(store, 'uploads/b/1.jpg')).rejects.toThrow(DENIED);
    await expect(store.remove('uploads/b/1.jpg')).rejects.toThrow(DENIED);
  });
});

describe('the policy of tasks', () => {
  it('allows reading and removing files, but not storing them', async () => {
    const store = await as('tasks');
    await put(everything, 'exports/c/1.csv');
    await read(store, 'exports/c/1.csv');
    await store.remove('exports/c/1.csv');
    await administrator.initiateNewMultipartUpload(bucket, 'exports/c/3.csv', {});
    await store.removeParts('exports/c/3.csv');
    expect(await administrator.findUploadId(bucket, 'exports/c/3.csv')).toBeUndefined();
    await expect(put(store, 'exports/c/2.csv')).rejects.toThrow(DENIED);
    await expect(read(store, 'uploads/b/1.jpg')).rejects.toThrow(DENIED);
  });
});

describe('the policy of daily-reports', () => {
  it('allows reading, copying and removing photos', async () => {
    const store = await as('daily-reports');
    await store.ensureBucket();
    await put(store, 'uploads/d/1.jpg');
    expect(await store.copy('uploads/d/1.jpg', 'uploads/kept/d/1.jpg')).toBe(true);
    expect(await store.stat('uploads/kept/d/1.jpg')).toMatchObject({ sizeBytes: 3 });
    expect(await store.stat('uploads/d/none.jpg')).toBeUndefined();
    await store.remove('uploads/d/1.jpg');
  });

  it('allows removing everything with a prefix, and nothing else', async () => {
    const store = await as('daily-reports');
    for (const key of ['uploads/f/1.jpg', 'uploads/f/g/2.jpg', 'uploads/fg/3.jpg']) await put(everything, key);
    await store.removeAll('uploads/f/');
    expect(await store.stat('uploads/f/1.jpg')).toBeUndefined();
    expect(await store.stat('uploads/f/g/2.jpg')).toBeUndefined();
    expect(await store.stat('uploads/fg/3.jpg')).toBeDefined();
    await store.removeAll('uploads/none/');
  });

  it('allows no access to files of exports', async () => {
    const store = await as('daily-reports');
    await put(everything, 'exports/e/1.csv');
    await expect(read(store, 'exports/e/1.csv')).rejects.toThrow(DENIED);
    await expect(put(store, 'exports/e/1.csv')).rejects.toThrow(DENIED);
  });
});
