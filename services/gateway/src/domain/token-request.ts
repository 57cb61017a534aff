import { AppError, stockFields } from '@stechuhr/kernel';
import { parseLocalDateTime } from '@stechuhr/worktime';
import { isScope, type GrantedScopes } from './token.js';

/** A wish for a token, as an operator types it. */
export interface TokenRequest {
  readonly accountId: string;
  readonly name?: string | null;
  /** Left out or null: unrestricted. */
  readonly scopes?: readonly string[] | null;
  /** Europe/Berlin without designator; left out or null: never. A past one is taken: the token has expired then. */
  readonly expiresAt?: string | null;
}

/** The same, validated; `expiresAt` in milliseconds since the epoch. */
export interface JudgedTokenRequest {
  readonly accountId: string;
  readonly name: string | null;
  readonly scopes: GrantedScopes;
  readonly expiresAt: number | null;
}

type Report = (field: string, ...messages: string[]) => void;

const fields = { account_id: stockFields.uuid(), name: stockFields.text().nullable() };

/** @throws AppError `invalid` with all problems by field */
export function judgeTokenRequest(request: TokenRequest): JudgedTokenRequest {
  const problems = new Map<string, string[]>();
  const report: Report = (field, ...messages) => problems.set(field, messages);
  const judged = {
    accountId: read('account_id', request.accountId, report) ?? '',
    name: read('name', request.name ?? null, report),
    scopes: readScopes(request.scopes ?? null, report),
    expiresAt: readExpiry(request.expiresAt ?? null, report),
  };
  if (problems.size > 0) throw AppError.invalid(Object.fromEntries(problems));
  return judged;
}

/** @returns null for what was reported too */
function read(field: keyof typeof fields, text: string | null, report: Report): string | null {
  const { data = null, error } = fields[field].safeParse(text);
  if (error !== undefined) report(field, ...error.issues.map(({ message }) => message));
  return data;
}

function readScopes(texts: readonly string[] | null, report: Report): GrantedScopes {
  if (texts === null) return null;
  const unknown = texts.filter((text) => !isScope(text));
  if (texts.length === 0) report('scopes', 'This list may not be empty.');
  if (unknown.length > 0) report('scopes', ...unknown.map((text) => `"${text}" is not a valid choice.`));
  return [...new Set(texts)].filter(isScope);
}

const EXPIRY_PROBLEMS = {
  malformed: 'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDTHH:MM:SS.',
  offset: 'Datetime has wrong format. It is local time (Europe/Berlin) without Z or UTC offset.',
  nonexistent: 'This local time does not exist.',
};

function readExpiry(text: string | null, report: Report): number | null {
  if (text === null) return null;
  const parsed = parseLocalDateTime(text);
  if (parsed.kind === 'ok') return parsed.instant * 1000;
  report('expires_at', EXPIRY_PROBLEMS[parsed.kind]);
  return null;
}
