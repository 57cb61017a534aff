import { accepted, type Outcome } from '@stechuhr/ingest/kinds';
import { newId } from '@stechuhr/kernel';
import { entryKind } from '../../domain/lines/entry-line.js';
import type { KnownEntry } from '../entry-port.js';
import { settleReports } from '../settle-reports.js';
import type { EntryChange } from './entry-change.js';
import type { IngestNeeds } from './needs.js';

/** Removes an entry as if it had never been; the one before it is the newest of its group again. */
export async function removeEntry(
  needs: IngestNeeds,
  { institutionId, id, sequence }: EntryChange,
  entry: KnownEntry | undefined,
): Promise<Outcome> {
  const place = sequence ?? entry?.liveSequence;
  // Before the removal itself: a crash in between is repeated.
  if (place !== undefined) await needs.markers.put(entryKind.name, id, place);
  if (entry === undefined) return accepted;
  const tenant = { institutionId };
  const mark = { id: newId(), at: Math.floor(needs.clock.now() / 1000), autofilled: [] };
  await needs.reports.mark(tenant, entry, { mark, sequences: 0, logRevision: undefined });
  await needs.entries.remove(tenant, id);
  await settleReports(needs, tenant, [entry], { own: [mark.id], insist: true });
  return accepted;
}
