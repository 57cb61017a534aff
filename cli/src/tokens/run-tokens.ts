import { judgeTokenRequest, type ListedToken, type TokenAdmin, type TokenRequest } from '@stechuhr/gateway/admin';
import { systemClock } from '@stechuhr/kernel';
import { Failure } from '../failure.js';
import type { Output } from '../output.js';
import { findPlatform } from '../platform.js';
import { table } from '../table.js';
import { uuidOption } from '../uuid-option.js';
import { withTokenAdmin } from './with-token-admin.js';

/** The options of `tokens issue` as typed by the user. */
export interface IssueOptions {
  readonly account: string;
  readonly institution?: string;
  readonly name?: string;
  readonly scopes?: string;
  readonly strict?: boolean;
  readonly expiresAt?: string;
}

/** Issues a token. Wrong options are reported before connecting to anything. */
export function runIssue(options: IssueOptions, output: Output): Promise<number> {
  const request = requestOf(options);
  const { expiresAt } = judgeTokenRequest(request);
  if (expiresAt !== null && expiresAt <= systemClock.now()) throw new Failure('--expires-at: The token would have expired already.', 2);
  return withAdmin(async (admin) => {
    const issued = await admin.issue(request);
    output.result(issued, () => issued.token);
    const scope = issued.scopes === null ? 'all permissions' : `${issued.strict ? 'only ' : ''}${issued.scopes.join(', ')}`;
    output.note(`Token ${issued.id} of account ${issued.account_id}: ${scope}, valid until ${issued.expires_at ?? 'revoked'}.`);
    if (issued.scopes !== null && !issued.strict) output.note(LAX);
    output.note('It is shown only this once. Send it as the header   Authorization: Token <token>');
    return 0;
  });
}

export function runList({ account }: { readonly account?: string }, output: Output): Promise<number> {
  const filter = account === undefined ? {} : { accountId: uuidOption('--account', account) };
  return withAdmin(async (admin) => {
    const tokens = await admin.list(filter);
    output.result(tokens, () => (tokens.length === 0 ? 'No tokens.' : table(HEADER, tokens.map(rowOf))));
    return 0;
  });
}

export function runRevoke(id: string, output: Output): Promise<number> {
  return withAdmin(async (admin) => {
    const revoked = await admin.revoke(id);
    output.result(revoked, () => `Token ${revoked.id} is revoked since ${revoked.revoked_at}.`);
    return 0;
  });
}

function requestOf({ account, institution, name, scopes, strict, expiresAt }: IssueOptions): TokenRequest {
  const listed = scopes
    ?.split(',')
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '');
  const rights = { scopes: listed ?? null, strict: strict ?? false };
  return { accountId: account, institutionId: institution ?? null, name: name ?? null, ...rights, expiresAt: expiresAt ?? null };
}

const LAX =
  'It may also run exports and reviews, read records, view and delete tasks, and change suppressions. --strict allows only what the scopes name.';

const HEADER = ['id', 'prefix', 'name', 'account', 'scopes', 'created', 'expires', 'last used', 'revoked'];

function rowOf(token: ListedToken): readonly string[] {
  const { id, prefix, name, account_id, scopes, strict, created_at, expires_at, last_used_at, revoked_at } = token;
  const times = [created_at, expires_at ?? 'never', last_used_at ?? '–', revoked_at ?? '–'];
  return [id, prefix, name ?? '–', account_id, `${strict ? 'only ' : ''}${scopes?.join(',') ?? 'all'}`, ...times];
}

function withAdmin(run: (admin: TokenAdmin) => Promise<number>): Promise<number> {
  return withTokenAdmin(findPlatform(), run);
}
