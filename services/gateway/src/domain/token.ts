import { AppError } from '@stechuhr/kernel';

/** The permissions that a token may be restricted to (spec, Authentication). */
export const SCOPES = [
  'absence_rules:view',
  'absence_rules:add',
  'absence_rules:edit',
  'absence_rules:delete',
  'daily_reports:view',
  'daily_reports:edit',
  'daily_reports:approve',
] as const;

export type Scope = (typeof SCOPES)[number];

/** What a token may do: null is everything. Scopes alone grant; the role of the account decides what it sees. */
export type GrantedScopes = readonly Scope[] | null;

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}

/** Whether the token may call an endpoint; one without a named scope needs none. */
export function grants(granted: GrantedScopes, needed: Scope | undefined): boolean {
  return needed === undefined || granted === null || granted.includes(needed);
}

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
