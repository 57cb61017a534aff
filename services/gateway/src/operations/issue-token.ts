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

/** How long a token waits for its confirmation, in milliseconds: longer than any request, and than clocks of gateways differ. */
const UNCONFIRMED_MS = 600_000;

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

/**
 * Issues a token in two steps: it becomes valid only if its account still exists after it was stored. The deletion of the account removes
 * the tokens that it finds. One that is stored later is never confirmed, even if this process is killed.
 *
 * @throws AppError `invalid` if the account has too many tokens; `not_found` if there is no account, or it is deleted meanwhile;
 *   `unavailable` if the account was deleted and created again meanwhile
 */
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
  await ports.tokens.removeUnconfirmed({ before: ports.clock.now() });
  await store(ports, token, requesting);
  try {
    await findAccount(ports, accountId, account.institutionId);
    if (await ports.tokens.confirm(token.id, ports.event('gateway.token.issued', token))) return { secret, token };
    await findAccount(ports, accountId, account.institutionId);
  } catch (caught) {
    await ports.tokens.removeUnconfirmed({ id: token.id });
    throw caught;
  }
  throw new AppError('unavailable', 'The account was deleted and created again at this moment.');
}

async function findAccount({ accounts }: IssuePorts, accountId: string, institutionId: string | undefined): Promise<Account> {
  const account = await accounts.find(accountId, institutionId);
  if (account === undefined) throw new AppError('not_found', `There is no account ${accountId}.`);
  return account;
}

async function store({ tokens }: IssuePorts, token: Token, requesting: RequestingToken | undefined): Promise<void> {
  const until = token.createdAt + UNCONFIRMED_MS;
  if (requesting === undefined) return tokens.insert(token, until);
  if (await tokens.insertWithin(requesting.maxTokens, token, until)) return;
  const bound = `An account has at most ${String(requesting.maxTokens)} tokens; revoked and expired ones count for 30 days.`;
  throw AppError.invalid({ non_field_errors: [bound] });
}
