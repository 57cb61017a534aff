import type { WrittenEvents } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import type { DocumentKind } from '../domain/stored-record.js';
import type { RecordWrite, WriteContext } from './ports.js';

/**
 * Writes records with the necessary side effects: their events are published, and gateways stop using cached accounts
 * (docs/rules/services.md#cache-of-accounts-and-tokens).
 * @returns false if one of the records was changed by another process
 */
export async function saveRecords(context: WriteContext, kind: DocumentKind, writes: readonly RecordWrite[]): Promise<boolean> {
  if (writes.length === 0) return true;
  const saved = await context.records.save(kind, writes);
  const told = writes.flatMap((write) => (write.event === undefined ? [] : written(kind, write, write.event)));
  // If a write failed, it is unknown which one.
  context.notifyOutbox(kind, saved ? told : told.map(({ events }) => ({ events })));
  if (kind === 'account') await forgetAccounts(context, writes);
  return saved;
}

function written(kind: DocumentKind, { institutionId, id, after, state }: RecordWrite, event: CloudEvent): WrittenEvents {
  // Its version has not changed since it was read, so no event was added, except for those announced for an institution.
  const isAlone = state === 'present' && after?.eventsWait !== true && (after === undefined || kind !== 'institution');
  return { events: [event], ...(isAlone && { alone: { docId: id, institutionId } }) };
}

/** Also for accounts that a repeated import leaves unchanged: the first attempt may have ended between the write and this call. */
export async function forgetAccounts(context: WriteContext, accounts: readonly { readonly id: string }[]): Promise<void> {
  await Promise.all(accounts.map(({ id }) => context.forgetAccount(id)));
}
