/**
 * The cache of accounts and tokens (docs/rules/services.md#cache-of-accounts-and-tokens). The gateway reads it, and whoever changes an account or a
 * token invalidates it: `createLookupCache({ redis, ...accessCache })`.
 */
export const accessCache = { prefix: 'stechuhr:access', ttlSeconds: 60 } as const;

/** The key of an account. */
export function accountCacheKey(accountId: string): string {
  return `account:${accountId}`;
}

/** The key of a token, by the SHA-256 of the token; the token itself is never stored. */
export function tokenCacheKey(hash: string): string {
  return `token:${hash}`;
}
