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
  // Where one was lost, nobody knows which.
  context.notifyOutbox(
    kind,
    writes.flatMap((write) => (write.event === undefined ? [] : written(write, write.event, saved))),
  );
  if (kind === 'account') await forgetAccounts(context, writes);
  return saved;
}

function written({ institutionId, id, after }: RecordWrite, event: CloudEvent, isSaved: boolean): WrittenEvents {
  return { events: [event], ...(isSaved && after === undefined && { created: { docId: id, institutionId } }) };
}

/** Also for accounts that a repeat finds unchanged: the first try may have ended between the write and this. */
export async function forgetAccounts(context: WriteContext, accounts: readonly { readonly id: string }[]): Promise<void> {
  await Promise.all(accounts.map(({ id }) => context.forgetAccount(id)));
}
