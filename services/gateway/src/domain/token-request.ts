import { AppError, dateTimeProblems, stockFields } from '@stechuhr/kernel';
import { parseLocalDateTime } from '@stechuhr/worktime';
import { isScope, isStrictScope, type Rights } from './token.js';

/** A request for a token as an operator enters it. */
export interface TokenRequest {
  readonly accountId: string;
  /** Left out or null where only one has the account: in a cluster two may have one of the same id (docs/sharding.md). */
  readonly institutionId?: string | null;
  readonly name?: string | null;
  /** Missing or null means unrestricted. */
  readonly scopes?: readonly string[] | null;
  /** Whether the token may do only what its scopes allow. */
  readonly strict?: boolean;
  /** Europe/Berlin without designator; missing or null means never. A time in the past is accepted and creates an expired token. */
  readonly expiresAt?: string | null;
}

/** A validated request; `expiresAt` in milliseconds since the epoch. */
export interface JudgedTokenRequest extends Rights {
  readonly accountId: string;
  readonly institutionId: string | null;
  readonly name: string | null;
  readonly expiresAt: number | null;
}

type Report = (field: string, ...messages: string[]) => void;

const fields = { account_id: stockFields.uuid(), institution_id: stockFields.uuid().nullable(), name: stockFields.text().nullable() };

/** @throws AppError `invalid` with the problems of all fields */
export function judgeTokenRequest(request: TokenRequest): JudgedTokenRequest {
  const problems = new Map<string, string[]>();
  const report: Report = (field, ...messages) => problems.set(field, messages);
  const judged = {
    accountId: read('account_id', request.accountId, report) ?? '',
    institutionId: read('institution_id', request.institutionId ?? null, report),
    name: read('name', request.name ?? null, report),
    scopes: readScopes(request, report),
    strict: request.strict ?? false,
    expiresAt: readExpiry(request.expiresAt ?? null, report),
  };
  if (problems.size > 0) throw AppError.invalid(Object.fromEntries(problems));
  return judged;
}

/** Validates a field and reports its problems. @returns null also for an invalid value */
function read(field: keyof typeof fields, text: string | null, report: Report): string | null {
  const { data = null, error } = fields[field].safeParse(text);
  if (error !== undefined) report(field, ...error.issues.map(({ message }) => message));
  return data;
}

function readScopes({ scopes: texts = null, strict = false }: TokenRequest, report: Report): Rights['scopes'] {
  if (texts === null && strict) report('scopes', 'A strict token needs scopes.');
  if (texts === null) return null;
  if (texts.length === 0) report('scopes', 'This list may not be empty.');
  const problems = texts.flatMap((text) => {
    if (!isScope(text)) return `"${text}" is not a valid choice.`;
    return isStrictScope(text) && !strict ? `"${text}" restricts strict tokens only; others have it.` : [];
  });
  if (problems.length > 0) report('scopes', ...problems);
  return [...new Set(texts)].filter(isScope);
}

function readExpiry(text: string | null, report: Report): number | null {
  if (text === null) return null;
  const parsed = parseLocalDateTime(text);
  if (parsed.kind === 'ok') return parsed.instant * 1000;
  report('expires_at', dateTimeProblems[parsed.kind]);
  return null;
}
