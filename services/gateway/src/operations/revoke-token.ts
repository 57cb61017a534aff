import { AppError, parseUuid, type Clock } from '@stechuhr/kernel';
import type { Lookups, TokenEvent, TokenStore } from './ports.js';

export interface RevocationPorts {
  readonly tokens: TokenStore;
  readonly lookups: Lookups;
  readonly event: TokenEvent;
  readonly clock: Clock;
}

/**
 * Revokes a token; when this returns, no gateway accepts it any more. A repeat answers the first revocation and forgets the kept row once
 * more, in case the first time could not.
 */
export async function revokeToken(ports: RevocationPorts, id: string): Promise<{ readonly id: string; readonly revokedAt: number }> {
  const token = await findToken(ports.tokens, id);
  if (token.revokedAt === null) await ports.tokens.revoke(token.id, ports.clock.now(), ports.event('gateway.token.revoked', token));
  await ports.lookups.forgetToken(token.hash);
  const { revokedAt } = await findToken(ports.tokens, token.id);
  if (revokedAt === null) throw new AppError('internal', 'Internal error.', { cause: new Error(`Token ${token.id} is not revoked.`) });
  return { id: token.id, revokedAt };
}

async function findToken(tokens: TokenStore, id: string) {
  const parsed = parseUuid(id);
  const token = parsed === undefined ? undefined : await tokens.findById(parsed);
  if (token === undefined) throw new AppError('not_found', `There is no token ${id}.`);
  return token;
}

export interface AccountDeletion {
  readonly accountId: string;
  readonly deletedAt: Date;
}

/**
 * Revokes the tokens of a deleted account and forgets them: they stay invalid when an account is created again under the same id. Tokens
 * issued after the deletion belong to that one.
 */
export async function removeTokensOfAccount(ports: RevocationPorts, { accountId, deletedAt }: AccountDeletion): Promise<void> {
  for (const { id, createdAt } of await ports.tokens.list(accountId)) {
    if (createdAt > deletedAt.getTime()) continue;
    await revokeToken(ports, id);
    await ports.tokens.remove(id, ports.clock.now());
  }
}
