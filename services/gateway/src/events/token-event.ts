import { createEvent } from '@stechuhr/bus';
import type { Clock } from '@stechuhr/kernel';
import type { TokenEvent } from '../operations/ports.js';

export function tokenEvents(clock: Clock): TokenEvent {
  return (type, { id, accountId, institutionId }) => createEvent({ type, institutionId, data: { id, account_id: accountId }, clock });
}
