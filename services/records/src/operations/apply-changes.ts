import { overtaken, type Outcome } from '@stechuhr/ingest/kinds';
import { kindNames, type Change, type KindName } from '../domain/kind.js';
import { findUnresolved } from './find-unresolved.js';
import type { WriteContext } from './ports.js';
import { deleteRecords, putRecords } from './write-records.js';
import { deleteWorkdays, putWorkdays } from './write-workdays.js';
import { deleteWorkmonths, putWorkmonths } from './write-workmonths.js';

/**
 * Writes changes, each of another record: kind by kind in an order in which references resolve, deletions before what may take their place.
 * Writing the same again changes nothing and publishes nothing.
 *
 * @returns what became of each, in the order given
 */
export async function applyChanges(context: WriteContext, changes: readonly Change[]): Promise<Outcome[]> {
  const outcomes = new Map<Change, Outcome>();
  for (const kind of kindNames) {
    const ofKind = changes.filter((change) => change.kind === kind);
    await applyKind(context, { kind, changes: ofKind.filter(({ content }) => content === null), apply: remove }, outcomes);
    await applyKind(context, { kind, changes: ofKind.filter(({ content }) => content !== null), apply: put }, outcomes);
  }
  return changes.map((change) => {
    const outcome = outcomes.get(change);
    if (outcome === undefined) throw new Error('A change has no outcome.');
    return outcome;
  });
}

interface Task {
  readonly kind: KindName;
  readonly changes: readonly Change[];
  readonly apply: (context: WriteContext, kind: KindName, changes: readonly Change[]) => Promise<Map<Change, Outcome>>;
}

async function applyKind(context: WriteContext, { kind, changes, apply }: Task, outcomes: Map<Change, Outcome>): Promise<void> {
  if (changes.length === 0) return;
  for (const [change, outcome] of await findUnresolved(context, changes)) outcomes.set(change, outcome);
  for (const change of await overtakenByDeletion(context, kind, changes)) outcomes.set(change, overtaken);
  const open = changes.filter((change) => !outcomes.has(change));
  if (open.length === 0) return;
  for (const [change, outcome] of await apply(context, kind, open)) outcomes.set(change, outcome);
}

function put(context: WriteContext, kind: KindName, changes: readonly Change[]): Promise<Map<Change, Outcome>> {
  if (kind === 'workday') return putWorkdays(context, changes);
  if (kind === 'workmonth') return putWorkmonths(context, changes);
  return putRecords(context, kind, changes);
}

function remove(context: WriteContext, kind: KindName, changes: readonly Change[]): Promise<Map<Change, Outcome>> {
  if (kind === 'workday') return deleteWorkdays(context, changes);
  if (kind === 'workmonth') return deleteWorkmonths(context, changes);
  return deleteRecords(context, kind, changes);
}

async function overtakenByDeletion({ markers }: WriteContext, kind: KindName, changes: readonly Change[]): Promise<Change[]> {
  const live = changes.filter((change) => change.sequence !== undefined);
  if (live.length === 0) return [];
  const ids = live.map(({ id }) => id);
  const deletedAt = await markers.sequences(kind, ids);
  return live.filter(({ id, sequence = 0 }) => sequence < (deletedAt.get(id) ?? 0));
}
