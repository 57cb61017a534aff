import { Cluster } from 'ioredis';
import { newId } from '@stechuhr/kernel';
import type { RedisClient } from './connect.js';
import { lookups } from './metrics.js';

/** What {@link createLookupCache} needs. */
export interface LookupCacheOptions {
  readonly redis: RedisClient;
  /** Starts every key; the same in each process that reads or invalidates the values. */
  readonly prefix: string;
  /** How long a value may be used; also how long a missed invalidation can matter. */
  readonly ttlSeconds: number;
}

/** Cached values whose source is elsewhere; never needed for a correct answer. */
export interface LookupCache {
  /**
   * The value from Redis, else from `load`, which is then kept. `undefined` and `null` are not kept. When Redis is unavailable, `load`
   * answers. A value must survive JSON.
   */
  get<T>(key: string, load: () => Promise<T>): Promise<T>;
  /**
   * Forgets the value; also one that is being loaded at this moment in any process. When Redis is unavailable it resolves as well: the
   * value then lives for the rest of its time.
   */
  invalidate(key: string): Promise<void>;
}

// A load that took longer than the generation lives could miss an invalidation, so it must not be kept.
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
 * A cache-aside lookup whose invalidations win: each key has a generation, a random text that an invalidation replaces; a value is kept
 * only if the generation is still the one that was read before the load; one script checks and writes.
 */
export function createLookupCache({ redis, prefix, ttlSeconds }: LookupCacheOptions): LookupCache {
  // The braces put both keys into one slot of a cluster.
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
      // A lookup that began before must not find the generation that begins here.
      reader.send();
      await redis.eval(FORGET, 2, ...keysOf(key), newId(), GENERATION_SECONDS).catch(() => undefined);
    },
  };
}

type Keys = readonly [value: string, generation: string];
type Found = readonly (string | null)[] | undefined;

interface Reader {
  /** The values of keys; undefined when Redis is unavailable. */
  read(keys: Keys): Promise<Found>;
  /** Sends what has been asked for so far. */
  send(): void;
}

/**
 * What one turn of the event loop asks for, such as a token and its account, is one command: that costs more than its keys. Keys in different
 * slots of a cluster do not share one.
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
