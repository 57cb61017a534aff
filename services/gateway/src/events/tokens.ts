import { createEvent, deletionConsumers, type ConsumeOptions } from '@stechuhr/bus';
import type { Clock } from '@stechuhr/kernel';
import type { Accounts, TokenEvent } from '../operations/ports.js';
import { type RevocationPorts, removeTokensOfAccount } from '../operations/revoke-token.js';

export function tokenEvents(clock: Clock): TokenEvent {
  return (type, { id, accountId, institutionId }) => createEvent({ type, institutionId, data: { id, account_id: accountId }, clock });
}

/** Returns the consumers that revoke and remove the tokens of deleted accounts. */
export function accountDeletedConsumers(ports: RevocationPorts & { readonly accounts: Accounts }): readonly ConsumeOptions[] {
  return deletionConsumers({
    service: 'gateway',
    kind: 'account',
    handler: ({ institutionId, id: accountId, deletedAt }) => removeTokensOfAccount(ports, { institutionId, accountId, deletedAt }),
  });
}
