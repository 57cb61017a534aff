import { AppError, parseUuid, type Clock } from '@stechuhr/kernel';
import type { Token } from '../domain/token.js';
import type { Accounts, Lookups, TokenEvent, TokenStore } from './ports.js';

export interface RevocationPorts {
  readonly tokens: TokenStore;
  readonly lookups: Lookups;
  readonly event: TokenEvent;
  readonly clock: Clock;
}

/**
 * Revokes a token. When this returns, no gateway accepts it any more. A repeated call returns the time of the first revocation and removes
 * the token from the cache again, in case the first call failed to.
 */
export async function revokeToken(ports: RevocationPorts, id: string): Promise<{ readonly id: string; readonly revokedAt: number }> {
  const token = await findToken(ports.tokens, id);
  await makeUnusable(ports, token);
  const { revokedAt } = await findToken(ports.tokens, token.id);
  if (revokedAt === null) throw new AppError('internal', 'Internal error.', { cause: new Error(`Token ${token.id} is not revoked.`) });
  return { id: token.id, revokedAt };
}

/** Revokes a token and removes it from the cache. A token that was removed meanwhile is no failure. */
async function makeUnusable({ tokens, lookups, event, clock }: RevocationPorts, token: Token): Promise<void> {
  if (token.revokedAt === null) await tokens.revoke(token.id, clock.now(), event('gateway.token.revoked', token));
  await lookups.forgetToken(token.hash);
}

async function findToken(tokens: TokenStore, id: string) {
  const parsed = parseUuid(id);
  const token = parsed === undefined ? undefined : await tokens.findById(parsed);
  if (token === undefined) throw new AppError('not_found', `There is no token ${id}.`);
  return token;
}

export interface AccountDeletion {
  readonly institutionId: string;
  readonly accountId: string;
  readonly deletedAt: Date;
}

/**
 * Revokes and deletes the tokens of a deleted account, so that they stay invalid if an account with the same id is created again. If that
 * has already happened, tokens issued after the deletion belong to the new account and are kept. If not, times are not compared, because
 * the clock of the records service may be behind.
 */
export async function removeTokensOfAccount(
  ports: RevocationPorts & { readonly accounts: Accounts },
  { institutionId, accountId, deletedAt }: AccountDeletion,
): Promise<void> {
  // One whose account was looked up before the deletion could still be confirmed.
  await ports.tokens.removeUnconfirmed({ institutionId, accountId });
  // Read before the account, so that tokens issued later are not included.
  const tokens = (await ports.tokens.list(accountId)).filter((token) => token.institutionId === institutionId);
  if (tokens.length === 0) return;
  const isBack = (await ports.accounts.find(accountId, institutionId))?.institutionId === institutionId;
  for (const token of tokens) {
    if (isBack && token.createdAt > deletedAt.getTime()) continue;
    // It is not read again: another replica may be handling the same deletion, and may have removed it by now.
    await makeUnusable(ports, token);
    await ports.tokens.remove(token.id, ports.clock.now());
  }
}
