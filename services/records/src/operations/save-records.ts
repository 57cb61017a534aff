import type { WrittenEvents } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import type { DocumentKind } from '../domain/stored-record.js';
import type { RecordWrite, WriteContext } from './ports.js';

/**
 * Writes records and does what has to happen with it: its events are published, and no gateway keeps using an account as it was
 * (docs/rules/services.md#cache-of-accounts-and-tokens).
 *
 * @returns false when one of them lost the compare-and-set
 */
export async function saveRecords(context: WriteContext, kind: DocumentKind, writes: readonly RecordWrite[]): Promise<boolean> {
  if (writes.length === 0) return true;
  const saved = await context.records.save(kind, writes);
  const told = writes.flatMap((write) => (write.event === undefined ? [] : written(kind, write, write.event)));
  // Where one was lost, nobody knows which.
  context.notifyOutbox(kind, saved ? told : told.map(({ events }) => ({ events })));
  if (kind === 'account') await forgetAccounts(context, writes);
  return saved;
}

function written(kind: DocumentKind, { institutionId, id, after, state }: RecordWrite, event: CloudEvent): WrittenEvents {
  // Its version has not changed since it was read, so that nothing was put into it; except by what is announced for an institution.
  const isAlone = state === 'present' && after?.eventsWait !== true && (after === undefined || kind !== 'institution');
  return { events: [event], ...(isAlone && { alone: { docId: id, institutionId } }) };
}

/** Also for accounts that a repeat finds unchanged: the first try may have ended between the write and this. */
export async function forgetAccounts(context: WriteContext, accounts: readonly { readonly id: string }[]): Promise<void> {
  await Promise.all(accounts.map(({ id }) => context.forgetAccount(id)));
}
