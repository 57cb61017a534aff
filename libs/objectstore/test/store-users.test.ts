import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startS3 } from '@stechuhr/local-infra';
import { connectObjectStore, provideStoreUsers, type ObjectStore, type StoreAdministrator, type StoreUser } from '@stechuhr/objectstore';

const FILE = new URL('../../../helm/stechuhr/files/s3-policies.json', import.meta.url);
const DENIED = /Access ?Denied|403|Forbidden/i;
const suffix = randomBytes(4).toString('hex');
const bucket = `users-${suffix}`;

let server: Awaited<ReturnType<typeof startS3>>;
let administrator: StoreAdministrator;
let users: readonly StoreUser[];

beforeAll(async () => {
  server = await startS3();
  administrator = { ...server.address, region: 'us-east-1' };
  await connectObjectStore({ ...server.address, bucket }).ensureBucket();
  const policies = JSON.parse(readFileSync(FILE, 'utf8').replaceAll('BUCKET', bucket)) as Readonly<Record<string, object>>;
  // Random names: the store of this machine may already have users with fixed names.
  users = Object.entries(policies).map(([name, policy]) => ({
    name: `${name}-${suffix}`,
    secretKey: randomBytes(16).toString('hex'),
    policy,
  }));
  await provideStoreUsers(administrator, users);
});
afterAll(() => server.stop());

function as(name: string, secretKey?: string): ObjectStore {
  const user = users.find((each) => each.name === `${name}-${suffix}`);
  return connectObjectStore({ ...server.address, bucket, accessKey: user?.name ?? '', secretKey: secretKey ?? user?.secretKey ?? '' });
}

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(3);
}

const put = (store: ObjectStore, key: string): Promise<number> => store.putStream(key, bytes(), 'text/plain');

describe('provideStoreUsers', () => {
  it('gives each service access only to its prefix', async () => {
    expect(await put(as('worker'), 'exports/a/1.csv')).toBe(3);
    expect(await put(as('daily-reports'), 'uploads/a/1.jpg')).toBe(3);
    await expect(put(as('worker'), 'uploads/a/2.jpg')).rejects.toThrow(DENIED);
    await expect(put(as('daily-reports'), 'exports/a/2.csv')).rejects.toThrow(DENIED);
    await expect(put(as('tasks'), 'exports/a/3.csv')).rejects.toThrow(DENIED);
    await as('tasks').remove('exports/a/1.csv');
    await expect(as('tasks').remove('uploads/a/1.jpg')).rejects.toThrow(DENIED);
  });

  it('rejects other keys', async () => {
    await expect(put(as('worker', 'f'.repeat(32)), 'exports/b/1.csv')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('updates existing users', async () => {
    const worker = users.find(({ name }) => name.startsWith('worker'));
    const secretKey = randomBytes(16).toString('hex');
    await provideStoreUsers(administrator, [{ ...(worker as StoreUser), secretKey }]);
    expect(await put(as('worker', secretKey), 'exports/c/1.csv')).toBe(3);
    await expect(put(as('worker'), 'exports/c/2.csv')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('reports refusals of the store, and that it does not answer', async () => {
    const service = users[0] as StoreUser;
    const asService = { ...administrator, accessKey: service.name, secretKey: service.secretKey };
    await expect(provideStoreUsers(asService, users)).rejects.toThrow('The object store refuses add-canned-policy: 403');
    await expect(provideStoreUsers({ ...administrator, endpoint: 'http://127.0.0.1:1' }, users)).rejects.toThrow('does not answer');
  });
});
