import type { Collection } from 'mongoose';
import { withStringIds, type StringIdDocument } from './string-ids.js';

/** An event that waits in the `outbox` array of the document that caused it; the relay of libs/bus publishes it. */
export interface OutboxEvent {
  readonly id: string;
}

/** The events of one document. */
export interface PendingEvents<E> {
  readonly docId: string;
  readonly events: E[];
  /** Whether the document is removed with its last event. */
  readonly isDeleted: boolean;
}

/** Which events of a document were published. */
export interface PublishedEvents {
  readonly docId: string;
  readonly eventIds: string[];
  readonly isDeleted: boolean;
}

/** A collection whose documents carry events, as the relay of libs/bus needs it. */
export interface DocumentOutbox<E> {
  readonly name: string;
  pending(limit: number): Promise<PendingEvents<E>[]>;
  published(documents: readonly PublishedEvents[]): Promise<void>;
  /** How many documents have waiting events. */
  count(): Promise<number>;
  /**
   * Removes deleted documents whose events were all published: earlier versions left them behind when they were killed at that moment. It
   * reads the whole collection. @returns how many there were
   */
  removeRemains(): Promise<number>;
}

interface OutboxDocument<E> extends StringIdDocument {
  readonly outbox: E[];
  readonly deleted_at?: Date | null;
}

/** The index that {@link outboxOf} reads by: `schema.index(...outboxIndex)`. */
export const outboxIndex = [{ 'outbox.id': 1 }, { sparse: true }] as const;

/** Every id is greater than the empty text; this form is served by the index on every server, `$exists` is not. */
const WAITING = { 'outbox.id': { $gt: '' } };

/** The field that keeps a deleted document after its events were published, for example so that a late repeat is recognised. */
const MARKER_FIELD = 'marker_until';

/**
 * The outbox inside the documents of a collection (docs/rules/services.md#writing): `_id` is a string, `outbox` an array of events.
 *
 * When the last event of a document with `deleted_at` was published, the document is removed, unless it has the field `marker_until`.
 *
 * @param collection `Model.collection`, or one of the connection
 */
export function outboxOf<E extends OutboxEvent>(collection: Collection): DocumentOutbox<E> {
  const documents = withStringIds<OutboxDocument<OutboxEvent>>(collection);
  return {
    name: collection.name,
    async pending(limit) {
      const found = await withStringIds<OutboxDocument<E>>(collection)
        .find(WAITING, { projection: { outbox: 1, deleted_at: 1 }, limit })
        .toArray();
      return found.map(({ _id, outbox, deleted_at }) => ({ docId: _id, events: outbox, isDeleted: Boolean(deleted_at) }));
    },
    count: () => documents.countDocuments(WAITING),
    async removeRemains() {
      const { deletedCount } = await documents.deleteMany({
        deleted_at: { $ne: null },
        [MARKER_FIELD]: { $exists: false },
        outbox: { $size: 0 },
      });
      return deletedCount;
    },
    async published(published) {
      // Before the events are taken out, and each in one step: a crash in between must not leave a deleted document whose outbox is empty,
      // because nobody would look for it again.
      const deletions = published.filter(({ isDeleted }) => isDeleted).map((one) => ({ deleteOne: { filter: goneAfter(one) } }));
      if (deletions.length > 0) await documents.bulkWrite(deletions, { ordered: false });
      const pulls = published.map(({ docId, eventIds }) => ({
        updateOne: { filter: { _id: docId }, update: { $pull: { outbox: { id: { $in: eventIds } } } } },
      }));
      await documents.bulkWrite(pulls, { ordered: false });
      // Those that were deleted since they were read.
      const since = published.filter(({ isDeleted }) => !isDeleted).map(({ docId }) => docId);
      if (since.length > 0) await documents.deleteMany({ _id: { $in: since }, ...GONE, outbox: { $size: 0 } });
    },
  };
}

/** Deleted, and without a marker that keeps it. */
const GONE = { deleted_at: { $ne: null }, [MARKER_FIELD]: { $exists: false } };

/** The document, if it is deleted, has no marker, and has no other events than those that were published. */
function goneAfter({ docId, eventIds }: PublishedEvents) {
  const other = { $elemMatch: { id: { $nin: eventIds } } };
  return { _id: docId, ...GONE, outbox: { $not: other } };
}
