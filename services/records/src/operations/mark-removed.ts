import type { KindName } from '../domain/kind.js';
import { nameOf } from '../domain/month-contents.js';
import type { RecordName, WriteContext } from './ports.js';

interface Removed extends RecordName {
  /** Undefined if no live object has written the record. */
  readonly sequence: number | undefined;
}

/**
 * Remembers records that were removed with the record to which they belonged, as is done for those that are deleted themselves: a live object that is
 * delivered again must not bring one back. Call it after the removal. Records that another process has written meanwhile are still stored, or
 * again, and are left out: a marker would have them removed.
 */
export async function markRemoved(context: WriteContext, kind: KindName, removed: readonly Removed[]): Promise<void> {
  const live = removed.flatMap(({ institutionId, id, sequence }) => (sequence === undefined ? [] : [{ institutionId, id, sequence }]));
  if (live.length === 0) return;
  const isStored = await storedAmong(context, kind, live);
  await context.markers.put(
    kind,
    live.filter((record) => !isStored(record)),
  );
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
