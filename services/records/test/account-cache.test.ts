import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ingestSubject } from '@stechuhr/contracts';
import { connectBus } from '@stechuhr/bus';
import { accessCache, accountCacheKey, connectRedis, createLookupCache, type LookupCache } from '@stechuhr/redis';
import { createLogger } from '@stechuhr/service';
import { buildAccount, buildDeletion, buildDepartment, buildInstitution, testServers, waitFor, type TestServers } from '@stechuhr/testing';
import { startRecords, type RunningRecords } from './support/running-records.js';

let servers: TestServers;
let records: RunningRecords;
let cache: LookupCache;
let redis: ReturnType<typeof connectRedis>;
const logger = createLogger('test', 'fatal');
const institution = buildInstitution();
const ids = { institution_id: institution.id };

beforeAll(async () => {
  servers = await testServers();
  records = await startRecords(servers);
  await records.importLines(institution);
  redis = connectRedis({ url: servers.redisUrl, logger });
  await waitFor(() => redis.status === 'ready');
  cache = createLookupCache({ redis, ...accessCache });
});
afterAll(async () => {
  redis.disconnect();
  await records.stop();
  await servers.stop();
});

/** Returns the first name of the account as a gateway reads it, through the shared cache. */
const firstName = (id: string) =>
  cache.get(accountCacheKey(id), async () => (await records.getAccount(id).catch(() => undefined))?.firstName ?? 'nobody');

describe('a change of an account is visible to gateways once it is acknowledged', () => {
  it('by import', async () => {
    const account = buildAccount(ids);
    await records.importLines(account);
    expect(await firstName(account.id)).toBe('Ada');
    await records.importLines({ ...account, first_name: 'Eva' });
    expect(await firstName(account.id)).toBe('Eva');
    await records.importLines(buildDeletion(account));
    expect(await firstName(account.id)).toBe('nobody');
  });

  it('by repeating an import that was written before a crash', async () => {
    const account = buildAccount(ids);
    await records.importLines(account);
    await cache.get(accountCacheKey(account.id), () => Promise.resolve('stale'));
    await records.importLines(account);
    expect(await firstName(account.id)).toBe('Ada');
  });

  it('by a cascade', async () => {
    const department = buildDepartment(ids);
    const account = buildAccount({ ...ids, department_ids: [department.id] });
    await records.importLines(department, account);
    await cache.get(accountCacheKey(account.id), () => Promise.resolve('stale'));
    await records.importLines(buildDeletion(department));
    expect(await firstName(account.id)).toBe('Ada');
  });

  it('by a live object', async () => {
    const account = buildAccount(ids);
    await records.importLines(account);
    expect(await firstName(account.id)).toBe('Ada');
    const bus = await connectBus({ servers: servers.natsUrl, name: 'test', logger });
    await bus.publish(ingestSubject(institution.id, 'account'), JSON.stringify({ ...account, first_name: 'Eva' }));
    await waitFor(async () => (await firstName(account.id)) === 'Eva');
    await bus.close();
  });
});

describe('without Redis', () => {
  it('accounts are still imported', async () => {
    const lonely = await startRecords(servers, { redisUrl: 'redis://127.0.0.1:1' });
    const account = buildAccount(ids);
    expect(await lonely.importLines(account, { ...account, first_name: 'Eva' })).toMatchObject({ accepted: { account: 2 }, rejected: [] });
    expect((await lonely.getAccount(account.id))?.firstName).toBe('Eva');
    await lonely.stop();
  });
});
