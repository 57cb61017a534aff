import { AppError } from '@stechuhr/kernel';

/** The scopes that the spec defines. Any token may be restricted to them (spec, Authentication). */
const SPEC_SCOPES = [
  'absence_rules:view',
  'absence_rules:add',
  'absence_rules:edit',
  'absence_rules:delete',
  'daily_reports:view',
  'daily_reports:edit',
  'daily_reports:approve',
] as const;

/**
 * Scopes of operations for which the spec defines none: strict tokens need them, other tokens may call these operations without a scope.
 */
export const STRICT_SCOPES = [
  'exports:run',
  'tasks:view',
  'tasks:delete',
  'records:view',
  'reviews:view',
  'suppressions:edit',
  'tokens:view',
  'tokens:edit',
  'webhooks:view',
  'webhooks:edit',
] as const;

export type SpecScope = (typeof SPEC_SCOPES)[number];
export type StrictScope = (typeof STRICT_SCOPES)[number];
export type Scope = SpecScope | StrictScope;

/** The permissions of a token. Only scopes grant access; the role of the account determines which records it sees. */
export interface Rights {
  /** Null means unrestricted. */
  readonly scopes: readonly Scope[] | null;
  /**
   * Whether the token may do only what its scopes allow. The scopes of other tokens restrict only operations for which the spec defines a
   * scope.
   */
  readonly strict: boolean;
}

/** The scope that an operation requires: one of the spec, one that only strict tokens need, or none (null). */
export interface Needed {
  readonly scope?: SpecScope;
  readonly strictScope?: StrictScope | null;
}

/** All scopes. */
export const scopes = [...SPEC_SCOPES, ...STRICT_SCOPES] as const;

export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text);
}

export function isStrictScope(scope: Scope): scope is StrictScope {
  return STRICT_SCOPES.some((strict) => strict === scope);
}

/** Returns whether a token may call an operation. A strict token may not call an operation that declares no scope. */
export function grants({ scopes: granted, strict }: Rights, { scope, strictScope }: Needed): boolean {
  if (scope !== undefined) return granted === null || granted.includes(scope);
  if (!strict || strictScope === null) return true;
  return strictScope !== undefined && granted !== null && granted.includes(strictScope);
}

/**
 * Returns the permissions in `rights` that `other` lacks: scopes, or `unrestricted`. Empty if it has no more permissions than the other.
 */
export function excessOf(rights: Rights, other: Rights): readonly (Scope | 'unrestricted')[] {
  if (other.scopes === null) return [];
  if (rights.scopes === null || (other.strict && !rights.strict)) return ['unrestricted'];
  // Tokens that are not strict have the strict scopes implicitly.
  const granted = new Set<Scope>([...other.scopes, ...(other.strict ? [] : STRICT_SCOPES)]);
  return rights.scopes.filter((scope) => !granted.has(scope));
}

/** An API token as it is stored, without the token itself. Times are milliseconds since the epoch. */
export interface Token extends Rights {
  readonly id: string;
  readonly hash: string;
  readonly prefix: string;
  readonly name: string | null;
  readonly accountId: string;
  readonly institutionId: string;
  /** The id of the token with which it was issued through the API; null if an operator issued it. */
  readonly issuedBy: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

/** Returns whether the token may be used at a time. At the moment of expiry it is no longer usable. */
export function isUsable(token: Pick<Token, 'expiresAt' | 'revokedAt'>, now: number): boolean {
  return token.revokedAt === null && (token.expiresAt === null || now < token.expiresAt);
}

/** Returns the error for any unusable token. It is the same for every reason, so that it does not reveal which tokens exist. */
export function invalidToken(): AppError {
  return new AppError('unauthenticated', 'Invalid token.');
}
