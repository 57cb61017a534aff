import { isDeepStrictEqual } from 'node:util';
import { untilSettled } from '@stechuhr/ingest';
import { accepted, isKnown, obstacle, type Outcome } from '@stechuhr/ingest/kinds';
import type { Change, Fields } from '../domain/kind.js';
import type { DocumentKind, StoredRecord } from '../domain/stored-record.js';
import { markDeletions } from './mark-deletions.js';
import type { RecordWrite, WriteContext } from './ports.js';
import { loadSettled, removeRecords } from './remove-records.js';
import { forgetAccounts, saveRecords } from './save-records.js';

/** Writes records with one document each; each id occurs once, and references have been checked. */
export async function putRecords(context: WriteContext, kind: DocumentKind, changes: readonly Change[]): Promise<Map<Change, Outcome>> {
  const outcomes = await untilSettled(changes, async (open) => {
    const stored = await loadSettled(context, kind, open);
    const settled = new Map<Change, Outcome>();
    const writes = new Map<Change, RecordWrite>();
    for (const change of open) {
      const step = decide(context, change, { kind, stored: stored.get(change.id) });
      if ('outcome' in step) settled.set(change, step.outcome);
      else writes.set(change, step.write);
    }
    if (!(await saveRecords(context, kind, [...writes.values()]))) return settled;
    for (const change of writes.keys()) settled.set(change, accepted);
    return settled;
  });
  if (kind === 'account') await forgetAccounts(context, changes);
  return outcomes;
}

interface Known {
  readonly kind: DocumentKind;
  readonly stored: StoredRecord | undefined;
}

function decide(context: WriteContext, change: Change, { kind, stored }: Known): { outcome: Outcome } | { write: RecordWrite } {
  const { institutionId, id } = change;
  const fields: Fields = change.content?.fields ?? {};
  const present = stored?.state === 'present' ? stored : undefined;
  const outcome = present && obstacle(change, present);
  if (outcome !== undefined) return { outcome };
  const unchanged = present !== undefined && isDeepStrictEqual(present.fields, fields);
  if (unchanged && isKnown(change, present)) return { outcome: accepted };
  const write = { institutionId, id, after: stored, state: 'present' as const, fields, sequence: change.sequence ?? present?.sequence };
  return { write: unchanged ? write : { ...write, event: context.events.changed(kind, institutionId, id) } };
}

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
