import type { Clock } from '@stechuhr/kernel';
import type { Collection } from 'mongoose';
import { withStringIds, type StringIdDocument } from './string-ids.js';

/**
 * Remembers which records were deleted at which position in the stream of live objects, so that an older object that arrives late has no
 * effect.
 */
export interface DeletionMarkers {
  /** Returns the stream sequence at which each record was deleted, in the order of the records; 0 if it was not deleted. */
  sequences(kind: string, records: readonly DeletedRecord[]): Promise<number[]>;
  /** Stores the highest sequence of each record for 30 days (docs/rules/events.md#order). */
  put(kind: string, deletions: readonly Deletion[]): Promise<void>;
  /** Stores for as long that these records are about to be deleted. */
  plan(kind: string, deletions: readonly Deletion[]): Promise<void>;
  /** Returns what is stored about each record, in the order of the records. */
  read(kind: string, records: readonly DeletedRecord[]): Promise<Marks[]>;
  /** Notes that an import is about to create these records again: the deletions known so far are over. */
  settle(kind: string, records: readonly DeletedRecord[]): Promise<void>;
  /** Returns the stream sequence up to which deletions of each record are over, in the order of the records; 0 if none is. */
  settled(kind: string, records: readonly DeletedRecord[]): Promise<number[]>;
  /** Removes expired markers; call it periodically, because no TTL index is used. */
  removeExpired(): Promise<void>;
}

/** Identifies a record that may have been deleted. */
export interface DeletedRecord {
  readonly institutionId: string;
  readonly id: string;
}

/** A deleted record and the stream sequence of its deletion. */
interface Deletion extends DeletedRecord {
  readonly sequence: number;
}

/** Stream sequences, 0 if there is none. */
interface Marks {
  /** At which the record was deleted. */
  readonly deleted: number;
  /** At which a deletion was planned: it was made if the record is not stored. */
  readonly planned: number;
}

/** `_id` is `<institution>/<kind>/<id>`; up to version 0.1 it was `<kind>/<id>`. */
interface MarkerDocument extends StringIdDocument {
  /** Absent if the deletion was only planned. */
  readonly sequence?: number;
  readonly planned?: number;
  /** The sequence up to which deletions are over. Absent if no import has created the record again. */
  readonly settled?: number;
  readonly until: Date;
}

const KEPT_MS = 30 * 86_400_000;

/** The index that `removeExpired` uses. */
export const deletionMarkerIndex = { until: 1 } as const;

/** Stores the markers in a separate collection. */
export function deletionMarkers(collection: Collection, clock: Clock): DeletionMarkers {
  const markers = withStringIds<MarkerDocument>(collection);
  const find = (kind: string, records: readonly DeletedRecord[]) =>
    markers.find({ _id: { $in: records.map((record) => keyOf(kind, record)) } }).toArray();
  const read = async (kind: string, records: readonly DeletedRecord[]): Promise<Marks[]> => {
    const names = records.map((record) => [keyOf(kind, record), `${kind}/${record.id}`]);
    const found = await markers.find({ _id: { $in: names.flat() } }).toArray();
    const places = new Map(found.map(({ _id, sequence: deleted = 0, planned = 0 }) => [_id, { deleted, planned }]));
    return names.map((keys) => ({
      deleted: Math.max(...keys.map((key) => places.get(key)?.deleted ?? 0)),
      planned: Math.max(...keys.map((key) => places.get(key)?.planned ?? 0)),
    }));
  };
  const store = async (field: 'sequence' | 'planned', kind: string, deletions: readonly Deletion[]) => {
    if (deletions.length === 0) return;
    const until = new Date(clock.now() + KEPT_MS);
    const updates = deletions.map(({ sequence, ...record }) => ({
      updateOne: { filter: { _id: keyOf(kind, record) }, update: { $max: { [field]: sequence, until } }, upsert: true },
    }));
    await markers.bulkWrite(updates, { ordered: false });
  };
  return {
    read,
    sequences: async (kind, records) => (await read(kind, records)).map(({ deleted }) => deleted),
    put: (kind, deletions) => store('sequence', kind, deletions),
    plan: (kind, deletions) => store('planned', kind, deletions),
    async settle(kind, records) {
      const found = await find(kind, records);
      if (found.length === 0) return;
      // A deletion that is remembered only after this read is newer than the record that the import creates. Planned ones were made, as
      // there is no record.
      const updates = found.map(({ _id, sequence = 0, planned = 0 }) => {
        const known = Math.max(sequence, planned);
        return { updateOne: { filter: { _id }, update: { $max: { sequence: known, settled: known } } } };
      });
      await markers.bulkWrite(updates, { ordered: false });
    },
    async settled(kind, records) {
      const places = new Map((await find(kind, records)).map(({ _id, settled = 0 }) => [_id, settled]));
      return records.map((record) => places.get(keyOf(kind, record)) ?? 0);
    },
    async removeExpired() {
      await markers.deleteMany({ until: { $lt: new Date(clock.now()) } });
    },
  };
}

function keyOf(kind: string, { institutionId, id }: DeletedRecord): string {
  return `${institutionId}/${kind}/${id}`;
}
