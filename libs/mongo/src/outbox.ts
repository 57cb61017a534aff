import type { IdRange, OwnEvent } from '@stechuhr/bus';
import type { Collection, mongo } from 'mongoose';
import { committed } from './concerns.js';
import { withStringIds, type StringIdDocument } from './string-ids.js';

/** An unpublished event in the `outbox` array of the document that caused it; the relay of libs/bus publishes it. */
export interface OutboxEvent {
  readonly id: string;
}

/** The events of one document. */
export interface PendingEvents<E> {
  readonly docId: string;
  /** Undefined for a document without one. */
  readonly institutionId: string | undefined;
  readonly events: E[];
  /** Whether the document is removed with its last event. */
  readonly isDeleted: boolean;
}

/** Which events of a document were published. */
export interface PublishedEvents {
  readonly docId: string;
  readonly institutionId: string | undefined;
  readonly eventIds: string[];
  readonly isDeleted: boolean;
}

/** A collection whose documents contain events, as the relay of libs/bus needs it. */
export interface DocumentOutbox<E> {
  readonly name: string;
  /** The documents that contain one of these unpublished events. */
  holding(events: readonly OwnEvent[]): Promise<PendingEvents<E>[]>;
  /**
   * Some documents with an event in the range, roughly ordered by id, as the index is: to sort by a field of an array, a server would have to read
   * all of them.
   */
  within(range: IdRange, limit: number): Promise<PendingEvents<E>[]>;
  /** The ids of all events of such documents. */
  idsWithin(range: IdRange, limit: number): Promise<readonly (readonly string[])[]>;
  published(documents: readonly PublishedEvents[]): Promise<void>;
  /** The number of documents with unpublished events. */
  count(): Promise<number>;
  /** The number of documents with an event in the range. */
  countWithin(range: IdRange): Promise<number>;
  /** Deleted documents without unpublished events, which nothing else would find. Reads the whole collection. */
  remains(limit: number): Promise<{ readonly count: number; readonly ids: readonly string[] }>;
  /**
   * Removes deleted documents without unpublished events, which earlier versions left behind if they were killed at the wrong moment. Reads the whole
   * collection.
   * @returns how many there were
   */
  removeRemains(): Promise<number>;
}

interface OutboxDocument<E> extends StringIdDocument {
  readonly institution_id?: string;
  readonly outbox: E[];
  readonly deleted_at?: Date | null;
}

/** The index that {@link outboxOf} reads by: `schema.index(...outboxIndex)`. */
export const outboxIndex = [{ 'outbox.id': 1 }, { sparse: true }] as const;

/** Every id is greater than the empty text. Unlike `$exists`, this condition can use the index on every server. */
const WAITING = { 'outbox.id': { $gt: '' } };

/** The field that keeps a deleted document after its events were published, for example to detect a late repetition. */
const MARKER_FIELD = 'marker_until';

/**
 * The outbox inside the documents of a collection (docs/rules/services.md#writing): `_id` is a string, `outbox` an array of events. A document with
 * `deleted_at` is removed once its last event was published, unless it has the field `marker_until`.
 * @param collection `Model.collection`, or one of the connection
 */
export function outboxOf<E extends OutboxEvent>(collection: Collection): DocumentOutbox<E> {
  const documents = withStringIds<OutboxDocument<E>>(collection);
  const read = async (filter: mongo.Document, options: mongo.FindOptions = {}) => {
    const projection = { institution_id: 1, outbox: 1, deleted_at: 1 };
    const found = await documents.find(filter, { ...options, projection }).toArray();
    return found.map(({ _id, institution_id, outbox, deleted_at }) => ({
      docId: _id,
      institutionId: institution_id,
      events: outbox,
      isDeleted: Boolean(deleted_at),
    }));
  };
  return {
    name: collection.name,
    holding(events) {
      const institutions = [...new Set(events.map(({ institutionId }) => institutionId))];
      return read({ institution_id: { $in: institutions }, 'outbox.id': { $in: events.map(({ id }) => id) } });
    },
    within: (range, limit) => read(eventIn(range), { ...committed, limit }),
    async idsWithin(range, limit) {
      const found = await documents.find(eventIn(range), { ...committed, limit, projection: { _id: 0, 'outbox.id': 1 } }).toArray();
      return found.map(({ outbox }) => outbox.map(({ id }) => id));
    },
    count: () => documents.countDocuments(WAITING),
    countWithin: (range) => documents.countDocuments(eventIn(range)),
    async remains(limit) {
      const count = await documents.countDocuments(REMAINS);
      const some = count === 0 ? [] : await documents.find(REMAINS, { projection: { _id: 1 }, limit }).toArray();
      return { count, ids: some.map(({ _id }) => _id) };
    },
    removeRemains: async () => (await documents.deleteMany(REMAINS)).deletedCount,
    async published(published) {
      const outboxes = withStringIds<OutboxDocument<OutboxEvent>>(collection);
      await clearDeleted(
        outboxes,
        published.filter(({ isDeleted }) => isDeleted),
      );
      await clearPresent(
        outboxes,
        published.filter(({ isDeleted }) => !isDeleted),
      );
    },
  };
}

type Outboxes = Collection<OutboxDocument<OutboxEvent>>;

/**
 * Removes deleted documents whose last event was published, and the published events of the others. Documents are removed first, each in one step:
 * otherwise a crash in between would leave a deleted document with an empty outbox, which nothing finds.
 */
async function clearDeleted(outboxes: Outboxes, deleted: readonly PublishedEvents[]): Promise<void> {
  if (deleted.length === 0) return;
  const deletions = deleted.map((one) => ({ deleteOne: { filter: goneAfter(one) } }));
  await outboxes.bulkWrite(deletions, { ordered: false });
  await removeEvents(outboxes, deleted);
}

/** Removes published events from documents that were not deleted when they were read; those deleted since then are removed. */
async function clearPresent(outboxes: Outboxes, present: readonly PublishedEvents[]): Promise<void> {
  // Usually all of them still exist, and this is the only write.
  if (present.length === 0 || (await removeEvents(outboxes, present, PRESENT)) === present.length) return;
  await removeEvents(outboxes, present);
  const institutions = [...new Set(present.flatMap(({ institutionId = [] }) => institutionId))];
  const addresses = {
    _id: { $in: present.map(({ docId }) => docId) },
    ...(present.every(({ institutionId }) => institutionId !== undefined) && { institution_id: { $in: institutions } }),
  };
  await outboxes.deleteMany({ ...addresses, ...REMAINS });
}

/**
 * Removes published events from those of the documents that are in a state.
 * @returns how many documents are in it
 */
async function removeEvents(outboxes: Outboxes, published: readonly PublishedEvents[], state: mongo.Document = {}): Promise<number> {
  const pulls = published.map((one) => ({
    updateOne: { filter: { ...addressOf(one), ...state }, update: { $pull: { outbox: { id: { $in: one.eventIds } } } } },
  }));
  return (await outboxes.bulkWrite(pulls, { ordered: false })).matchedCount;
}

/** Not deleted: a deletion from now on sees the current outbox. */
const PRESENT = { deleted_at: null };

/** Deleted, and without a marker that keeps it. */
const GONE = { deleted_at: { $ne: null }, [MARKER_FIELD]: { $exists: false } };

/** Deleted, without unpublished events. */
const REMAINS = { ...GONE, outbox: { $size: 0 } };

function eventIn({ after, upTo }: IdRange) {
  return { outbox: { $elemMatch: { id: { $gt: after, $lte: upTo } } } };
}

/** Matches the document if it is deleted, has no marker, and has no other events than the published ones. */
function goneAfter(published: PublishedEvents) {
  const other = { $elemMatch: { id: { $nin: published.eventIds } } };
  return { ...addressOf(published), ...GONE, outbox: { $not: other } };
}

/** Contains the institution, so that only one shard is queried. */
function addressOf({ docId, institutionId }: PublishedEvents) {
  return { _id: docId, ...(institutionId !== undefined && { institution_id: institutionId }) };
}
