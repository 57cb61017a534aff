import { startPeriodic, type Logger } from '@stechuhr/kernel';
import { accountCacheKey, tokenCacheKey, type LookupCache, type RedisClient } from '@stechuhr/redis';
import type { Lookups } from '../operations/ports.js';

/** Whether Redis is currently answering. */
export interface RedisWatch {
  isWell(): boolean;
  stop(): Promise<void>;
}

const INTERVAL_MS = 1_000;

/**
 * Pings Redis once a second. While Redis hangs, every command would wait for its timeout, several of them for each request. With this check, requests
 * stop using Redis after a second.
 */
export function watchRedis(redis: RedisClient, logger: Logger): RedisWatch {
  let well = redis.status === 'ready';
  const ask = async () => {
    well = await redis.ping().then(
      () => true,
      () => false,
    );
  };
  const asking = startPeriodic(ask, { intervalMs: INTERVAL_MS, logger, failure: 'Redis could not be asked' });
  redis.on('ready', () => void asking.now());
  return { isWell: () => well, stop: () => asking.stop() };
}

/** Looks rows up through the cache, or directly while Redis does not answer. */
export function createLookups(cache: LookupCache, isWell: () => boolean): Lookups {
  const lookUp = <T>(key: string, load: () => Promise<T>): Promise<T> => (isWell() ? cache.get(key, load) : load());
  return {
    token: (hash, load) => lookUp(tokenCacheKey(hash), load),
    account: (accountId, load) => lookUp(accountCacheKey(accountId), load),
    forgetToken: (hash) => cache.invalidate(tokenCacheKey(hash)),
  };
}
