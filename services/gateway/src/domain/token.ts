import { AppError } from '@stechuhr/kernel';
import type { GrantedScopes } from './scopes.js';

/** An API token as it is stored: everything but the token itself. Times are milliseconds since the epoch. */
export interface Token {
  readonly id: string;
  readonly hash: string;
  readonly prefix: string;
  readonly name: string | null;
  readonly accountId: string;
  readonly institutionId: string;
  readonly scopes: GrantedScopes;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

/** Whether the token may be used at that time; the moment of expiry is already too late. */
export function isUsable(token: Pick<Token, 'expiresAt' | 'revokedAt'>, now: number): boolean {
  return token.revokedAt === null && (token.expiresAt === null || now < token.expiresAt);
}

/** The same for every reason, so that it does not reveal which tokens exist. */
export function invalidToken(): AppError {
  return new AppError('unauthenticated', 'Invalid token.');
}
