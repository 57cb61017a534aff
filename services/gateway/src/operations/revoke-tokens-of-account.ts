import { revokeToken, type RevocationPorts } from './revoke-token.js';

export interface AccountDeletion {
  readonly accountId: string;
  readonly deletedAt: Date;
}

/**
 * Revokes the tokens of a deleted account permanently: they stay invalid when an account is created again under the same id. Tokens issued
 * after the deletion belong to that one.
 */
export async function revokeTokensOfAccount(ports: RevocationPorts, { accountId, deletedAt }: AccountDeletion): Promise<void> {
  for (const { id, createdAt } of await ports.tokens.list(accountId)) {
    if (createdAt <= deletedAt.getTime()) await revokeToken(ports, id);
  }
}
