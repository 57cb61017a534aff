export { accessCache, accountCacheKey, tokenCacheKey } from './access-cache.js';
export { redisVariable } from './address.js';
export { connectRedis, type RedisClient, type RedisConnectionOptions } from './connect.js';
export { createLookupCache, type LookupCache, type LookupCacheOptions } from './lookup-cache.js';
