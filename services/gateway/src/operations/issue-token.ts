import { AppError, newId, type Clock } from '@stechuhr/kernel';
import { displayPrefix, hashToken, newToken } from '../domain/token-format.js';
import { type JudgedTokenRequest, judgeTokenRequest, type TokenRequest } from '../domain/token-request.js';
import type { Token } from '../domain/token.js';
import type { Accounts, TokenEvent, TokenStore } from './ports.js';

export interface IssuePorts {
  readonly tokens: TokenStore;
  readonly accounts: Accounts;
  readonly event: TokenEvent;
  readonly clock: Clock;
}

/** A new token; the secret leaves here once and is never stored. */
export interface Issued {
  readonly secret: string;
  readonly token: Token;
}

/** Issues a token for an account that exists. */
export function issueToken(ports: IssuePorts, request: TokenRequest): Promise<Issued> {
  return issueJudged(ports, judgeTokenRequest(request));
}

/** A token with which others are issued, in the place of an operator. */
export interface AskingToken {
  readonly id: string;
  /** Of its account: in a cluster another institution may have an account of the same id (docs/sharding.md). */
  readonly institutionId: string;
  /** How many its account may have. */
  readonly maxTokens: number;
}

/** @throws AppError `invalid` where the account has too many */
export async function issueJudged(ports: IssuePorts, request: JudgedTokenRequest, asking?: AskingToken): Promise<Issued> {
  const { accountId, name, scopes, strict, expiresAt } = request;
  const account = await ports.accounts.find(accountId, asking?.institutionId);
  if (account === undefined) throw new AppError('not_found', `There is no account ${accountId}.`);
  const secret = newToken();
  const token: Token = {
    id: newId(),
    hash: hashToken(secret),
    prefix: displayPrefix(secret),
    name,
    accountId,
    institutionId: account.institutionId,
    issuedBy: asking?.id ?? null,
    scopes,
    strict,
    createdAt: ports.clock.now(),
    expiresAt,
    lastUsedAt: null,
    revokedAt: null,
  };
  await store(ports, token, asking);
  return { secret, token };
}

async function store({ tokens, event }: IssuePorts, token: Token, asking: AskingToken | undefined): Promise<void> {
  const issued = event('gateway.token.issued', token);
  if (asking === undefined) return tokens.insert(token, issued);
  if (await tokens.insertWithin(asking.maxTokens, token, issued)) return;
  const bound = `An account has at most ${String(asking.maxTokens)} tokens; revoked and expired ones count for 30 days.`;
  throw AppError.invalid({ non_field_errors: [bound] });
}
