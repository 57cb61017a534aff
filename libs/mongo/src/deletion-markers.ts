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
  /** Stores the highest sequence for 30 days (docs/rules/events.md#order). */
  put(kind: string, record: DeletedRecord, sequence: number): Promise<void>;
  /** Removes expired markers; call it periodically, because no TTL index is used. */
  removeExpired(): Promise<void>;
}

/** Identifies a record that may have been deleted. */
export interface DeletedRecord {
  readonly institutionId: string;
  readonly id: string;
}

/** `_id` is `<institution>/<kind>/<id>`; up to version 0.1 it was `<kind>/<id>`. */
interface MarkerDocument extends StringIdDocument {
  readonly sequence: number;
  readonly until: Date;
}

const KEPT_MS = 30 * 86_400_000;

/** The index that `removeExpired` uses. */
export const deletionMarkerIndex = { until: 1 } as const;

/** Stores the markers in a separate collection. */
export function deletionMarkers(collection: Collection, clock: Clock): DeletionMarkers {
  const markers = withStringIds<MarkerDocument>(collection);
  return {
    async sequences(kind, records) {
      const names = records.map((record) => [keyOf(kind, record), `${kind}/${record.id}`]);
      const found = await markers.find({ _id: { $in: names.flat() } }).toArray();
      const places = new Map(found.map(({ _id, sequence }) => [_id, sequence]));
      return names.map((keys) => Math.max(...keys.map((key) => places.get(key) ?? 0)));
    },
    async put(kind, record, sequence) {
      const until = new Date(clock.now() + KEPT_MS);
      await markers.updateOne({ _id: keyOf(kind, record) }, { $max: { sequence, until } }, { upsert: true });
    },
    async removeExpired() {
      await markers.deleteMany({ until: { $lt: new Date(clock.now()) } });
    },
  };
}

function keyOf(kind: string, { institutionId, id }: DeletedRecord): string {
  return `${institutionId}/${kind}/${id}`;
}
