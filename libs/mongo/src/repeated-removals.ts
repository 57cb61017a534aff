import type { Clock } from '@stechuhr/kernel';
import { Schema, type Collection, type Connection } from 'mongoose';
import { withStringIds, type StringIdDocument } from './string-ids.js';

/** The removal of what a service holds of a deleted institution. */
export interface InstitutionRemoval {
  readonly institutionId: string;
  /** When the institution was deleted, by the clock of the records service. */
  readonly deletedAt: Date;
  /** When its data was first removed, by the clock of this service. */
  readonly removedAt: Date;
}

/**
 * Repeats the removal of data of deleted institutions an hour later. A write that was allowed before the deletion may be stored after the first removal,
 * and nothing else would ever find it.
 */
export interface RepeatedRemovals {
  /**
   * Plans the repetition. Call it before the first removal.
   *
   * @returns the first removal if the same deletion was handled before; it is remembered for 30 days after its repetition
   */
  plan(deletion: Pick<InstitutionRemoval, 'institutionId' | 'deletedAt'>): Promise<InstitutionRemoval | undefined>;
  /**
   * Repeats the removals that are due; call it periodically. Each is repeated by one process, and tried again later if it fails.
   *
   * @throws what `remove` throws
   */
  repeatDue(remove: (removal: InstitutionRemoval) => Promise<void>): Promise<void>;
}

/** `_id` is the id of the institution. */
interface RemovalDocument extends StringIdDocument {
  readonly deleted_at: Date;
  readonly removed_at: Date;
  /** When the removal is repeated. After its repetition, when it is forgotten. */
  readonly due_at: Date;
  /** Whether it was repeated. Absent otherwise. */
  readonly repeated?: true;
}

/** Longer than any write takes after its checks, also in a process that is suspended. */
const PAUSE_MS = 3_600_000;
/** After this time, a repetition that was begun is tried again. */
const CLAIM_MS = 600_000;
/** As long as dead letters are kept, one of which may be the deletion. */
const KEPT_MS = 30 * 86_400_000;

const schema = new Schema<Pick<RemovalDocument, '_id' | 'due_at'>>(
  { _id: { type: String, required: true }, due_at: { type: Date } },
  { collection: 'deleted_institutions', versionKey: false },
);
schema.index({ due_at: 1 });

/** Declares the collection of planned removals, with the index that `repeatDue` uses. */
export function removalCollection(connection: Connection): Collection {
  return connection.model('DeletedInstitution', schema).collection;
}

/** Stores the planned removals in the collection that {@link removalCollection} declares. */
export function repeatedRemovals(collection: Collection, clock: Clock): RepeatedRemovals {
  const removals = withStringIds<RemovalDocument>(collection);
  return {
    async plan({ institutionId, deletedAt }) {
      const now = clock.now();
      const due_at = new Date(now + PAUSE_MS);
      // A deletion may be delivered again. What was created after its first removal may belong to an institution that was created again.
      const before = await removals.findOneAndUpdate(
        { _id: institutionId, deleted_at: deletedAt },
        { $set: { due_at }, $unset: { repeated: 1 } },
      );
      if (before !== null) return { institutionId, deletedAt, removedAt: before.removed_at };
      const planned = { deleted_at: deletedAt, removed_at: new Date(now), due_at };
      await removals.updateOne({ _id: institutionId }, { $set: planned, $unset: { repeated: 1 } }, { upsert: true });
      return undefined;
    },
    async repeatDue(remove) {
      for (;;) {
        const now = clock.now();
        const claimedUntil = new Date(now + CLAIM_MS);
        const due = await removals.findOneAndUpdate({ due_at: { $lte: new Date(now) } }, { $set: { due_at: claimedUntil } });
        if (due === null) return;
        const claimed = { _id: due._id, due_at: claimedUntil };
        if (due.repeated === true) {
          await removals.deleteOne(claimed);
          continue;
        }
        await remove({ institutionId: due._id, deletedAt: due.deleted_at, removedAt: due.removed_at });
        await removals.updateOne(claimed, { $set: { due_at: new Date(now + KEPT_MS), repeated: true } });
      }
    },
  };
}
