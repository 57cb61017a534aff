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

/** @param issuedBy the token with which it is issued, if it is not an operator who does it */
export async function issueJudged(ports: IssuePorts, request: JudgedTokenRequest, issuedBy: string | null = null): Promise<Issued> {
  const { accountId, name, scopes, strict, expiresAt } = request;
  const account = await ports.accounts.find(accountId);
  if (account === undefined) throw new AppError('not_found', `There is no account ${accountId}.`);
  const secret = newToken();
  const token: Token = {
    id: newId(),
    hash: hashToken(secret),
    prefix: displayPrefix(secret),
    name,
    accountId,
    institutionId: account.institutionId,
    issuedBy,
    scopes,
    strict,
    createdAt: ports.clock.now(),
    expiresAt,
    lastUsedAt: null,
    revokedAt: null,
  };
  await ports.tokens.insert(token, ports.event('gateway.token.issued', token));
  return { secret, token };
}
