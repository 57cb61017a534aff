import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startRedis } from '@stechuhr/local-infra';
import {
  accessCache,
  accountCacheKey,
  connectRedis,
  createLookupCache,
  tokenCacheKey,
  type LookupCache,
  type RedisClient,
} from '@stechuhr/redis';
import { ownTime, waitFor } from '@stechuhr/testing';

let server: Awaited<ReturnType<typeof startRedis>>;
let redis: RedisClient;
let cache: LookupCache;
let key: string;
const lines: string[] = [];
const log = (_fields: object, message: string) => void lines.push(message);
const logger = { debug: log, info: log, warn: log, error: log };

beforeAll(async () => {
  // A separate server, because one of the tests stops it.
  server = await startRedis({ own: true });
  redis = connectRedis({ url: server.address, logger });
  cache = createLookupCache({ redis, ...accessCache });
  await waitFor(() => redis.status === 'ready');
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

beforeEach(() => {
  key = accountCacheKey(randomUUID());
});

const load = (value: unknown) => async () => value;
/** Returns the number of read commands so far. */
const commandsRead = async () => Number(/^cmdstat_mget:calls=(\d+)/m.exec(await redis.info('commandstats'))?.[1]);

describe('createLookupCache', () => {
  it('loads once and answers from Redis until the value is invalidated', async () => {
    expect(await cache.get(key, load({ version: 1 }))).toEqual({ version: 1 });
    expect(await cache.get(key, load({ version: 2 }))).toEqual({ version: 1 });
    await cache.invalidate(key);
    expect(await cache.get(key, load({ version: 3 }))).toEqual({ version: 3 });
  });

  it('never caches a value that was loaded before an invalidation', async () => {
    const { promise: invalidated, resolve } = Promise.withResolvers<void>();
    const reading = cache.get(key, async () => {
      await invalidated;
      return 'old';
    });
    await cache.invalidate(key);
    resolve();
    expect(await reading).toBe('old');
    expect(await cache.get(key, load('new'))).toBe('new');
  });

  it('caches a value loaded after an invalidation for a minute', async () => {
    await cache.invalidate(key);
    await cache.get(key, load('kept'));
    expect(await cache.get(key, load('other'))).toBe('kept');
    expect(await redis.ttl(`${accessCache.prefix}:{${key}}`)).toBeGreaterThan(50);
  });

  it('combines concurrent lookups in one command and returns each its value', async () => {
    const [token, unknown] = [tokenCacheKey(randomUUID()), accountCacheKey(randomUUID())];
    await cache.get(key, load('account'));
    await cache.get(token, load('token'));
    const before = await commandsRead();
    const together = [cache.get(token, load('other')), cache.get(unknown, load('loaded')), cache.get(key, load('other'))];
    expect(await Promise.all(together)).toEqual(['token', 'loaded', 'account']);
    expect((await commandsRead()) - before).toBe(1);
    expect(await cache.get(unknown, load('other'))).toBe('loaded');
  });

  it('combines the lookups of several requests that arrive together', async () => {
    const token = tokenCacheKey(randomUUID());
    await cache.get(key, load('account'));
    await cache.get(token, load('token'));
    const before = await commandsRead();
    // Like requests on different sockets: callbacks of the same iteration of the event loop, each with its own microtasks.
    const received = (name: string) => new Promise((resolve) => setImmediate(() => resolve(cache.get(name, load('other')))));
    expect(await Promise.all([received(token), received(key)])).toEqual(['token', 'account']);
    expect((await commandsRead()) - before).toBe(1);
  });

  it('does not cache missing values', async () => {
    expect(await cache.get(key, load(undefined))).toBeUndefined();
    expect(await cache.get(key, load(null))).toBeNull();
    expect(await cache.get(key, load('there now'))).toBe('there now');
  });

  it('rethrows the error of a failed load and caches nothing', async () => {
    await expect(cache.get(key, () => Promise.reject(new Error('no database')))).rejects.toThrow('no database');
    expect(await cache.get(key, load(1))).toBe(1);
  });

  it('separates the keys of accounts and tokens', () => {
    expect(accountCacheKey('a')).not.toBe(tokenCacheKey('a'));
  });

  it('survives an outage: loads at once, logs it once, and caches values again afterwards', async () => {
    await server.kill();
    await waitFor(() => lines.includes('Redis is unavailable'));
    const ms = await ownTime(async () => {
      for (let call = 0; call < 20; call += 1) expect(await cache.get(key, load(call))).toBe(call);
      await cache.invalidate(key);
    });
    expect(ms).toBeLessThan(2_000);
    await server.restart();
    await waitFor(() => lines.includes('Redis is available again'));
    await cache.get(key, load('kept'));
    expect(await cache.get(key, load('other'))).toBe('kept');
    expect(lines).toEqual(['Redis is unavailable', 'Redis is available again']);
  });
});
