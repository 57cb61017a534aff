import { AppError } from '@stechuhr/kernel';

/** The permissions that any token may be restricted to (spec, Authentication). */
const SPEC_SCOPES = [
  'absence_rules:view',
  'absence_rules:add',
  'absence_rules:edit',
  'absence_rules:delete',
  'daily_reports:view',
  'daily_reports:edit',
  'daily_reports:approve',
] as const;

/** The permissions of what the spec names no scope for: a strict token needs them, any other token has them. */
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

/** What a token may do. Scopes alone grant; the role of the account decides what it sees. */
export interface Rights {
  /** Null is everything. */
  readonly scopes: readonly Scope[] | null;
  /** Whether it may do only what its scopes name; otherwise they restrict only what the spec names a scope for. */
  readonly strict: boolean;
}

/** What an operation asks of a token: a scope of the spec, one that only strict tokens need, or nothing (null). */
export interface Needed {
  readonly scope?: SpecScope;
  readonly strictScope?: StrictScope | null;
}

/** Every scope. */
export const scopes = [...SPEC_SCOPES, ...STRICT_SCOPES] as const;

export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text);
}

export function isStrictScope(scope: Scope): scope is StrictScope {
  return STRICT_SCOPES.some((strict) => strict === scope);
}

/** Whether the token may call an operation. A strict one may not call what says nothing about itself. */
export function grants({ scopes: granted, strict }: Rights, { scope, strictScope }: Needed): boolean {
  if (scope !== undefined) return granted === null || granted.includes(scope);
  if (!strict || strictScope === null) return true;
  return strictScope !== undefined && granted !== null && granted.includes(strictScope);
}

/** What a token may do that another one may not: scopes, or everything that is not restricted. None where it may do no more than the other. */
export function excessOf(rights: Rights, other: Rights): readonly (Scope | 'unrestricted')[] {
  if (other.scopes === null) return [];
  if (rights.scopes === null || (other.strict && !rights.strict)) return ['unrestricted'];
  // What only strict tokens need a scope for, any other token may do.
  const granted = new Set<Scope>([...other.scopes, ...(other.strict ? [] : STRICT_SCOPES)]);
  return rights.scopes.filter((scope) => !granted.has(scope));
}

/** An API token as it is stored: everything but the token itself. Times are milliseconds since the epoch. */
export interface Token extends Rights {
  readonly id: string;
  readonly hash: string;
  readonly prefix: string;
  readonly name: string | null;
  readonly accountId: string;
  readonly institutionId: string;
  /** The token with which it was issued through the API; null where an operator issued it. */
  readonly issuedBy: string | null;
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
