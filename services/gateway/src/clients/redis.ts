import { startPeriodic, type Logger } from '@stechuhr/kernel';
import { accountCacheKey, tokenCacheKey, type LookupCache, type RedisClient } from '@stechuhr/redis';
import type { Lookups } from '../operations/ports.js';

/** Knows whether Redis currently responds. */
export interface RedisWatch {
  isAvailable(): boolean;
  stop(): Promise<void>;
}

const INTERVAL_MS = 1_000;

/**
 * Pings Redis once a second. If Redis hangs, each command would wait for its timeout, several times for each request. With this watch,
 * requests skip Redis after a second.
 */
export function watchRedis(redis: RedisClient, logger: Logger): RedisWatch {
  let available = redis.status === 'ready';
  const ping = async () => {
    available = await redis.ping().then(
      () => true,
      () => false,
    );
  };
  const pinging = startPeriodic(ping, { intervalMs: INTERVAL_MS, logger, failure: 'Redis could not be pinged' });
  redis.on('ready', () => void pinging.now());
  return { isAvailable: () => available, stop: () => pinging.stop() };
}

/** Creates lookups that use the cache. */
export function createLookups(cache: LookupCache): Lookups {
  return {
    token: (hash, load) => cache.get(tokenCacheKey(hash), load),
    account: (accountId, load) => cache.get(accountCacheKey(accountId), load),
    forgetToken: (hash) => cache.invalidate(tokenCacheKey(hash)),
  };
}
