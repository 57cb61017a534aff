import type { WrittenEvents } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import type { DocumentKind } from '../domain/stored-record.js';
import type { RecordWrite, WriteContext } from './ports.js';

/**
 * Writes records, notifies the relay of their events and removes changed accounts from the cache of the gateways
 * (docs/rules/services.md#cache-of-accounts-and-tokens).
 *
 * @returns false if one of them lost the compare-and-set
 */
export async function saveRecords(context: WriteContext, kind: DocumentKind, writes: readonly RecordWrite[]): Promise<boolean> {
  if (writes.length === 0) return true;
  const saved = await context.records.save(kind, writes);
  const announced = writes.flatMap((write) => (write.event === undefined ? [] : written(kind, write, write.event)));
  // If one write lost, it is unknown which one.
  context.notifyOutbox(kind, saved ? announced : announced.map(({ events }) => ({ events })));
  if (kind === 'account') await forgetAccounts(context, writes);
  return saved;
}

function written(kind: DocumentKind, { institutionId, id, after, state }: RecordWrite, event: CloudEvent): WrittenEvents {
  // The version has not changed since the record was read, so no other event was added to the outbox. Institutions are an exception: events
  // without a record are added to their outbox, too.
  const isAlone = state === 'present' && after?.eventsWait !== true && (after === undefined || kind !== 'institution');
  return { events: [event], ...(isAlone && { alone: { docId: id, institutionId } }) };
}

/**
 * Removes accounts from the cache. Accounts that a repeated import finds unchanged are included, because the first attempt may have ended
 * between the write and this call.
 */
export async function forgetAccounts(context: WriteContext, accounts: readonly { readonly id: string }[]): Promise<void> {
  await Promise.all(accounts.map(({ id }) => context.forgetAccount(id)));
}
