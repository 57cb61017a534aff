/**
 * The cache of accounts and token rows (docs/rules/services.md#cache-of-accounts-and-tokens), shared by the gateway, which reads it, and by
 * whoever changes an account or a token: `createLookupCache({ redis, ...accessCache })`.
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
