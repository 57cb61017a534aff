import { AppError, newId, type Clock } from '@stechuhr/kernel';
import { displayPrefix, hashToken, newToken } from '../domain/token-format.js';
import { type JudgedTokenRequest, judgeTokenRequest, type TokenRequest } from '../domain/token-request.js';
import type { Token } from '../domain/token.js';
import type { Account, Accounts, TokenEvent, TokenStore } from './ports.js';

export interface IssuePorts {
  readonly tokens: TokenStore;
  readonly accounts: Accounts;
  readonly event: TokenEvent;
  readonly clock: Clock;
}

/** A new token. The secret is returned only here and never stored. */
export interface Issued {
  readonly secret: string;
  readonly token: Token;
}

/** Validates a request and issues a token. @throws AppError `invalid`, `not_found` for an unknown account */
export function issueToken(ports: IssuePorts, request: TokenRequest): Promise<Issued> {
  return issueJudged(ports, judgeTokenRequest(request));
}

/** The token of an API request that issues another token. */
export interface RequestingToken {
  readonly id: string;
  /** The institution of its account: in a sharded cluster another institution may have an account with the same id (docs/sharding.md). */
  readonly institutionId: string;
  /** The maximum number of tokens of its account. */
  readonly maxTokens: number;
}

/** @throws AppError `invalid` if the account has too many tokens; `not_found` if there is none, or it is deleted meanwhile */
export async function issueJudged(ports: IssuePorts, request: JudgedTokenRequest, requesting?: RequestingToken): Promise<Issued> {
  const { accountId, institutionId, name, scopes, strict, expiresAt } = request;
  const account = await findAccount(ports, accountId, requesting?.institutionId ?? institutionId ?? undefined);
  const secret = newToken();
  const token: Token = {
    id: newId(),
    hash: hashToken(secret),
    prefix: displayPrefix(secret),
    name,
    accountId,
    institutionId: account.institutionId,
    issuedBy: requesting?.id ?? null,
    scopes,
    strict,
    createdAt: ports.clock.now(),
    expiresAt,
    lastUsedAt: null,
    revokedAt: null,
  };
  await store(ports, token, requesting);
  try {
    await findAccount(ports, accountId, account.institutionId);
  } catch (caught) {
    // The deletion of the account may have removed its tokens before this one was stored. Nobody knows its secret yet.
    await discard(ports, token);
    throw caught;
  }
  return { secret, token };
}

async function findAccount({ accounts }: IssuePorts, accountId: string, institutionId: string | undefined): Promise<Account> {
  const account = await accounts.find(accountId, institutionId);
  if (account === undefined) throw new AppError('not_found', `There is no account ${accountId}.`);
  return account;
}

async function discard({ tokens, event, clock }: IssuePorts, token: Token): Promise<void> {
  await tokens.revoke(token.id, clock.now(), event('gateway.token.revoked', token));
  await tokens.remove(token.id, clock.now());
}

async function store({ tokens, event }: IssuePorts, token: Token, requesting: RequestingToken | undefined): Promise<void> {
  const issued = event('gateway.token.issued', token);
  if (requesting === undefined) return tokens.insert(token, issued);
  if (await tokens.insertWithin(requesting.maxTokens, token, issued)) return;
  const bound = `An account has at most ${String(requesting.maxTokens)} tokens; revoked and expired ones count for 30 days.`;
  throw AppError.invalid({ non_field_errors: [bound] });
}
