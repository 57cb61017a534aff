import { deletionConsumer, type ConsumeOptions } from '@stechuhr/bus';
import type { RevocationPorts } from '../operations/revoke-token.js';
import { revokeTokensOfAccount } from '../operations/revoke-tokens-of-account.js';

/** A deleted account takes its tokens along. */
export function accountDeletedConsumer(ports: RevocationPorts): ConsumeOptions {
  return deletionConsumer({
    service: 'gateway',
    kind: 'account',
    handler: ({ id: accountId, deletedAt }) => revokeTokensOfAccount(ports, { accountId, deletedAt }),
  });
}
