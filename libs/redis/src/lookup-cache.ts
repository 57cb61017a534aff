import { Cluster } from 'ioredis';
import { newId } from '@stechuhr/kernel';
import type { RedisClient } from './connect.js';
import { lookups } from './metrics.js';

/** The options of {@link createLookupCache}. */
export interface LookupCacheOptions {
  readonly redis: RedisClient;
  /** Prefix of every key; must be the same in each process that reads or invalidates the values. */
  readonly prefix: string;
  /** Lifetime of a value; also limits the effect of a missed invalidation. */
  readonly ttlSeconds: number;
  /** Whether Redis currently responds, if the process knows. While it does not, lookups count as unavailable without a command. */
  readonly isAvailable?: () => boolean;
}

/** A cache of values that are stored elsewhere; correctness never depends on it. */
export interface LookupCache {
  /**
   * Returns the value from Redis, or loads and caches it. `undefined` and `null` are not cached. While Redis is unavailable, every call
   * loads the value. Values must be serialisable as JSON.
   */
  get<T>(key: string, load: () => Promise<T>): Promise<T>;
  /**
   * Removes the value, including one that is being loaded at this moment in any process. It also resolves while Redis is unavailable: the
   * value then expires at the end of its lifetime.
   */
  invalidate(key: string): Promise<void>;
}

// A load that takes longer than the lifetime of a generation could miss an invalidation, so slow loads are not cached.
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
 * Creates a cache-aside lookup in which invalidations win over concurrent loads. Each key has a generation, a random text that an
 * invalidation replaces. A loaded value is only stored if the generation is still the one that was read before the load; a script checks
 * and writes atomically.
 */
export function createLookupCache({ redis, prefix, ttlSeconds, isAvailable = () => true }: LookupCacheOptions): LookupCache {
  // The braces (a hash tag) place both keys in the same slot of a cluster.
  const keysOf = (key: string): Keys => [`${prefix}:{${key}}`, `${prefix}:{${key}}:generation`];
  const reader = createReader(redis);
  // `rate` does not see the first increase of a counter that begins at 1.
  for (const result of ['hit', 'miss', 'unavailable']) lookups.add(0, { cache: prefix, result });
  return {
    async get<T>(key: string, load: () => Promise<T>): Promise<T> {
      const keys = keysOf(key);
      const found = isAvailable() ? await reader.read(keys) : undefined;
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
      // Lookups that began before must be sent first, so that they do not read the new generation.
      reader.send();
      await redis.eval(FORGET, 2, ...keysOf(key), newId(), GENERATION_SECONDS).catch(() => undefined);
    },
  };
}

type Keys = readonly [value: string, generation: string];
type Found = readonly (string | null)[] | undefined;

interface Reader {
  /** Returns the values of keys; undefined if Redis is unavailable. */
  read(keys: Keys): Promise<Found>;
  /** Sends the pending reads. */
  send(): void;
}

/**
 * Creates a reader that combines all reads of one iteration of the event loop in one command: a token and its account, and those of other
 * requests that have arrived, because a command costs more than its keys. The span of the command belongs to the first of these requests. In
 * a cluster each read is a separate command, because its keys may be in different slots.
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
        setImmediate(send);
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
