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
