import { AppError, newId, type Clock } from '@stechuhr/kernel';
import { displayPrefix, hashToken, newToken } from '../domain/token-format.js';
import { judgeTokenRequest, type TokenRequest } from '../domain/token-request.js';
import type { Token } from '../domain/token.js';
import type { Accounts, TokenEvent, TokenStore } from './ports.js';

interface Ports {
  readonly tokens: TokenStore;
  readonly accounts: Accounts;
  readonly event: TokenEvent;
  readonly clock: Clock;
}

/** Issues a token for an account that exists. The token itself leaves here once and is never stored. */
export async function issueToken(ports: Ports, request: TokenRequest): Promise<{ readonly secret: string; readonly token: Token }> {
  const { accountId, name, scopes, strict, expiresAt } = judgeTokenRequest(request);
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
