import { Cluster } from 'ioredis';
import { newId } from '@stechuhr/kernel';
import type { RedisClient } from './connect.js';
import { lookups } from './metrics.js';

/** What {@link createLookupCache} needs. */
export interface LookupCacheOptions {
  readonly redis: RedisClient;
  /** Prefix of every key; the same in each process that reads or invalidates the values. */
  readonly prefix: string;
  /** How long a value may be used, and thus how long a missed invalidation can have consequences. */
  readonly ttlSeconds: number;
}

/** Cached values from another source; never needed for correctness. */
export interface LookupCache {
  /**
   * The value from Redis, otherwise from `load`, which is then cached. `undefined` and `null` are not cached. If Redis is unavailable, the value
   * comes from `load`. Values must survive JSON.
   */
  get<T>(key: string, load: () => Promise<T>): Promise<T>;
  /**
   * Removes a value from the cache, even if it is currently being loaded in any process. Also resolves if Redis is unavailable; the value then stays
   * cached until it expires.
   */
  invalidate(key: string): Promise<void>;
}

// A load that takes longer than the generation lives could miss an invalidation, so its value must not be cached.
const GENERATION_SECONDS = 600;
const SLOWEST_KEPT_LOAD_MS = 60_000;

const KEEP = `
if (redis.call('GET', KEYS[2]) or '') == ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
end`;
const FORGET = `
redis.call('SET', KEYS[2], ARGV[1], 'EX', ARGV[2])
redis.call('DEL', KEYS[1])`;

/**
 * A cache-aside lookup in which invalidations win: each key has a generation, a random text that an invalidation replaces. A value is cached only if
 * the generation is still the one read before the load; a script checks and writes atomically.
 */
export function createLookupCache({ redis, prefix, ttlSeconds }: LookupCacheOptions): LookupCache {
  // The braces put both keys into the same slot of a cluster.
  const keysOf = (key: string): Keys => [`${prefix}:{${key}}`, `${prefix}:{${key}}:generation`];
  const reader = createReader(redis);
  return {
    async get<T>(key: string, load: () => Promise<T>): Promise<T> {
      const keys = keysOf(key);
      const found = await reader.read(keys);
      const [cached, generation] = found ?? [];
      lookups.add(1, { cache: prefix, result: resultOf(cached) });
      if (cached !== undefined && cached !== null) return JSON.parse(cached) as T;
      const startedAt = performance.now();
      const value = await load();
      const fresh = performance.now() - startedAt < SLOWEST_KEPT_LOAD_MS;
      if (found !== undefined && fresh && value !== undefined && value !== null) {
        await redis.eval(KEEP, 2, ...keys, generation ?? '', JSON.stringify(value), ttlSeconds).catch(() => undefined);
      }
      return value;
    },
    async invalidate(key) {
      // A lookup that began before must not see the generation that begins here.
      reader.send();
      await redis.eval(FORGET, 2, ...keysOf(key), newId(), GENERATION_SECONDS).catch(() => undefined);
    },
  };
}

type Keys = readonly [value: string, generation: string];
type Found = readonly (string | null)[] | undefined;

interface Reader {
  /** The values of keys; undefined if Redis is unavailable. */
  read(keys: Keys): Promise<Found>;
  /** Sends what has been requested so far. */
  send(): void;
}

/**
 * Combines the requests of one turn of the event loop, such as a token and its account, into one command, because a command costs more than its keys.
 * Keys in different slots of a cluster cannot be combined.
 */
function createReader(redis: RedisClient): Reader {
  const ask = (keys: readonly string[]): Promise<Found> => redis.mget(...keys).catch(() => undefined);
  if (redis instanceof Cluster) return { read: ask, send: () => undefined };
  let waiting: { readonly keys: string[]; readonly found: PromiseWithResolvers<Found> } | undefined;
  const send = () => {
    const sent = waiting;
    waiting = undefined;
    sent?.found.resolve(ask(sent.keys));
  };
  return {
    async read(keys) {
      if (waiting === undefined) {
        waiting = { keys: [], found: Promise.withResolvers() };
        void Promise.resolve().then(send);
      }
      const { keys: all, found } = waiting;
      const end = all.push(...keys);
      return (await found.promise)?.slice(end - keys.length, end);
    },
    send,
  };
}

function resultOf(cached: string | null | undefined): 'hit' | 'miss' | 'unavailable' {
  if (cached === undefined) return 'unavailable';
  return cached === null ? 'miss' : 'hit';
}
