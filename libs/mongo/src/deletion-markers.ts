import type { Clock } from '@stechuhr/kernel';
import type { Collection } from 'mongoose';
import { withStringIds, type StringIdDocument } from './string-ids.js';

/** What was deleted by whom of the stream of live objects, so that an older one that comes late has no effect. */
export interface DeletionMarkers {
  /** Of the ids those that were deleted, with the place of the deletion in the stream. */
  sequences(kind: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Keeps the highest place for 30 days (docs/rules/events.md#order). */
  put(kind: string, id: string, sequence: number): Promise<void>;
  /** From time to time: no server is asked to do it by itself. */
  removeExpired(): Promise<void>;
}

/** `_id` is `<kind>/<id>`. */
interface MarkerDocument extends StringIdDocument {
  readonly sequence: number;
  readonly until: Date;
}

const KEPT_MS = 30 * 86_400_000;

/** The index for `removeExpired`. */
export const deletionMarkerIndex = { until: 1 } as const;

/** The markers in a separate collection. */
export function deletionMarkers(collection: Collection, clock: Clock): DeletionMarkers {
  const markers = withStringIds<MarkerDocument>(collection);
  return {
    async sequences(kind, ids) {
      const found = await markers.find({ _id: { $in: ids.map((id) => `${kind}/${id}`) } }).toArray();
      return new Map(found.map(({ _id, sequence }) => [_id.slice(kind.length + 1), sequence]));
    },
    async put(kind, id, sequence) {
      const until = new Date(clock.now() + KEPT_MS);
      await markers.updateOne({ _id: `${kind}/${id}` }, { $max: { sequence, until } }, { upsert: true });
    },
    async removeExpired() {
      await markers.deleteMany({ until: { $lt: new Date(clock.now()) } });
    },
  };
}
