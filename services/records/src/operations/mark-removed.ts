import type { DeletionMarkers } from '@stechuhr/ingest';
import { kindNames, type KindName } from '../domain/kind.js';
import { nameOf } from '../domain/month-contents.js';
import type { Marks, PlannedDeletion, RecordName, WriteContext } from './ports.js';

interface Removed extends RecordName {
  /** Undefined if no live object has written the record. */
  readonly sequence: number | undefined;
}

/**
 * Notes that records are about to be removed with the record to which they belong. If the process is killed after the removal, nothing else tells
 * that they existed.
 */
export async function planRemoved({ markers }: WriteContext, kind: KindName, removed: readonly Removed[]): Promise<void> {
  await markers.plan(kind, writtenLive(removed));
}

/**
 * Remembers records that were removed with the record to which they belonged, as is done for those that are deleted themselves: a live object that is
 * delivered again must not bring one back. Call it after the removal. Records that another process has written meanwhile are still stored, or
 * again, and are left out: a marker would have them removed.
 */
export async function markRemoved(context: WriteContext, kind: KindName, removed: readonly Removed[]): Promise<void> {
  const live = writtenLive(removed);
  if (live.length === 0) return;
  const isStored = await storedAmong(context, kind, live);
  await context.markers.put(
    kind,
    live.filter((record) => !isStored(record)),
  );
}

function writtenLive(removed: readonly Removed[]): readonly PlannedDeletion[] {
  return removed.flatMap(({ institutionId, id, sequence }) => (sequence === undefined ? [] : [{ institutionId, id, sequence }]));
}

/** Returns the markers. Removals that were planned count, too, if they were made: their process may have been killed before it marked them. */
export function withPlanned(context: WriteContext): DeletionMarkers {
  return {
    ...context.markers,
    async sequences(of, records) {
      const marks = await context.markers.read(of, records);
      const open = records.filter((_, at) => isOpen(marks[at]));
      const kind = kindNames.find((name) => name === of);
      if (kind === undefined || open.length === 0) return marks.map(({ deleted }) => deleted);
      const isStored = await storedAmong(context, kind, open);
      const made = new Set(open.filter((record) => !isStored(record)));
      return records.map((record, at) => (made.has(record) ? marks[at]?.planned : marks[at]?.deleted) ?? 0);
    },
  };
}

function isOpen({ deleted, planned }: Marks = { deleted: 0, planned: 0 }): boolean {
  return planned > deleted;
}

async function storedAmong(
  { records, months }: WriteContext,
  kind: KindName,
  named: readonly RecordName[],
): Promise<(record: RecordName) => boolean> {
  if (kind === 'workday' || kind === 'workmonth') {
    const places = await months.placesOf(kind, named);
    return (record) => (places.get(nameOf(record, record.id)) ?? []).length > 0;
  }
  const stored = await records.existing(kind, named);
  return (record) => stored.has(nameOf(record, record.id));
}
