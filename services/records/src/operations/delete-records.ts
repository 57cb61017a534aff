import { untilSettled } from '@stechuhr/ingest';
import { accepted, obstacle, type Outcome } from '@stechuhr/ingest/kinds';
import type { Change } from '../domain/kind.js';
import type { DocumentKind, StoredRecord } from '../domain/stored-record.js';
import { markDeletions } from './mark-deletions.js';
import type { WriteContext } from './ports.js';
import { loadSettled, removeRecords } from './remove-records.js';

/** Deletes records with everything that belongs to them; deleting what does not exist is accepted. */
export function deleteRecords(context: WriteContext, kind: DocumentKind, changes: readonly Change[]): Promise<Map<Change, Outcome>> {
  return untilSettled(changes, async (open) => {
    const stored = await loadSettled(context, kind, open);
    const settled = new Map<Change, Outcome>();
    const removals = new Map<Change, StoredRecord>();
    for (const change of open) {
      const record = stored.get(change.id);
      const present = record?.state === 'present' ? record : undefined;
      const outcome = present && obstacle(change, present);
      if (outcome !== undefined) settled.set(change, outcome);
      else if (present !== undefined) removals.set(change, present);
    }
    const deleted = open.filter((change) => !settled.has(change));
    await markDeletions(context, deleted, (change) => removals.get(change)?.sequence);
    const removed = await removeRecords(context, kind, [...removals.values()]);
    for (const change of deleted) if (removed || !removals.has(change)) settled.set(change, accepted);
    return settled;
  });
}
