import type { Clock } from '@stechuhr/kernel';
import type { MongoDb } from '@stechuhr/mongo';
import type { DeletionMarkers } from '../operations/ports.js';
import { collectionOf, type Documents } from './collections.js';

/** `_id` is `<kind>/<id>`. */
interface MarkerDocument {
  readonly _id: string;
  readonly sequence: number;
  readonly until: Date;
}

const KEPT_MS = 30 * 86_400_000;

export function createDeletionMarkers(database: MongoDb, clock: Clock): DeletionMarkers {
  const markers: Documents<MarkerDocument> = collectionOf(database, 'deletion_markers');
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
