/**
 * The settings of the cache of accounts and token rows (docs/rules/services.md#cache-of-accounts-and-tokens). The gateway reads it, and
 * services that change an account or a token invalidate it: `createLookupCache({ redis, ...accessCache })`.
 */
export const accessCache = { prefix: 'stechuhr:access', ttlSeconds: 60 } as const;

/** Returns the cache key of an account. */
export function accountCacheKey(accountId: string): string {
  return `account:${accountId}`;
}

/** Returns the cache key of a token, by its SHA-256 hash; the token itself is never stored. */
export function tokenCacheKey(hash: string): string {
  return `token:${hash}`;
}
