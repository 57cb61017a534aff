export type { Redis } from 'ioredis';
export { accessCache, accountCacheKey, tokenCacheKey } from './access-cache.js';
export { connectRedis, type RedisConnectionOptions } from './connect.js';
export { createLookupCache, type LookupCache, type LookupCacheOptions } from './lookup-cache.js';
