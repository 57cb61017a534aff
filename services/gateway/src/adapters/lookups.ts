import { accountCacheKey, tokenCacheKey, type LookupCache } from '@stechuhr/redis';
import type { Lookups } from '../operations/ports.js';

/** Looks rows up through the cache, or directly while Redis does not answer (`isWell`). */
export function createLookups(cache: LookupCache, isWell: () => boolean): Lookups {
  const lookUp = <T>(key: string, load: () => Promise<T>): Promise<T> => (isWell() ? cache.get(key, load) : load());
  return {
    token: (hash, load) => lookUp(tokenCacheKey(hash), load),
    account: (accountId, load) => lookUp(accountCacheKey(accountId), load),
    forgetToken: (hash) => cache.invalidate(tokenCacheKey(hash)),
  };
}
