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
  /** Undefined if the document belongs to no institution. */
  readonly institutionId: string | undefined;
  readonly events: E[];
  /** Whether the document is removed once its last event is published. */
  readonly isDeleted: boolean;
}

/** The events of a document that were published. */
export interface PublishedEvents {
  readonly docId: string;
  readonly institutionId: string | undefined;
  readonly eventIds: string[];
  readonly isDeleted: boolean;
}

/** A collection whose documents contain events, as the relay of libs/bus uses it. */
export interface DocumentOutbox<E> {
  readonly name: string;
  /** Returns the documents that contain at least one of these events. */
  holding(events: readonly OwnEvent[]): Promise<PendingEvents<E>[]>;
  /**
   * Returns some documents with an event in the range, in the order of the index, which is roughly that of the event ids. Sorting by a
   * field of an array would force the server to read all of them. There are fewer than `limit` if they have thousands of events or megabytes.
   */
  within(range: IdRange, limit: number): Promise<PendingEvents<E>[]>;
  /** Returns the ids of all events of such documents, with the same limits. */
  idsWithin(range: IdRange, limit: number): Promise<readonly (readonly string[])[]>;
  published(documents: readonly PublishedEvents[]): Promise<void>;
  /** Counts the documents with waiting events, up to 100,000. */
  count(): Promise<number>;
  /** Counts the documents with an event in the range. */
  countWithin(range: IdRange): Promise<number>;
  /** Finds deleted documents whose events were all published, which nothing removes any more. Reads the whole collection. */
  remains(limit: number): Promise<{ readonly count: number; readonly ids: readonly string[] }>;
  /**
   * Removes deleted documents whose events were all published. Earlier versions left them behind when they were killed at that moment.
   * Reads the whole collection.
   *
   * @returns the number of removed documents
   */
  removeRemains(): Promise<number>;
}

interface OutboxDocument<E> extends StringIdDocument {
  readonly institution_id?: string;
  readonly outbox: E[];
  readonly deleted_at?: Date | null;
}

/** The index that {@link outboxOf} needs: `schema.index(...outboxIndex)`. */
export const outboxIndex = [{ 'outbox.id': 1 }, { sparse: true }] as const;

/**
 * Matches documents with any event, since every id is greater than the empty string. Unlike `$exists`, every server answers this from the
 * index.
 */
const WAITING = { 'outbox.id': { $gt: '' } };

/**
 * How many documents are counted. Every process counts whenever metrics are read. After an outage of the bus there may be millions, and counting
 * all of them would keep the database busy just then.
 */
const MOST_COUNTED = 100_000;

/** If a deleted document has this field, it is kept after its events were published, for example to recognise a late repeat. */
const MARKER_FIELD = 'marker_until';

/**
 * Creates the outbox inside the documents of a collection (docs/rules/services.md#writing): `_id` is a string, `outbox` an array of events.
 *
 * When the last event of a document with `deleted_at` has been published, the document is removed, unless it has the field `marker_until`.
 *
 * @param collection `Model.collection`, or a collection of the connection
 */
export function outboxOf<E extends OutboxEvent>(collection: Collection): DocumentOutbox<E> {
  const documents = withStringIds<OutboxDocument<E>>(collection);
  return {
    name: collection.name,
    async holding(events) {
      const institutions = [...new Set(events.map(({ institutionId }) => institutionId))];
      const filter = { institution_id: { $in: institutions }, 'outbox.id': { $in: events.map(({ id }) => id) } };
      return (await documents.find(filter, { ...committed, projection: PENDING }).toArray()).map(toPending);
    },
    async within(range, limit) {
      return (await firstOf(documents.find(eventIn(range), { ...committed, limit, projection: PENDING }))).map(toPending);
    },
    async idsWithin(range, limit) {
      const found = await firstOf(documents.find(eventIn(range), { ...committed, limit, projection: { _id: 0, 'outbox.id': 1 } }));
      return found.map(({ outbox }) => outbox.map(({ id }) => id));
    },
    count: () => documents.countDocuments(WAITING, { limit: MOST_COUNTED }),
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

const PENDING = { institution_id: 1, outbox: 1, deleted_at: 1 };

function toPending<E>({ _id, institution_id, outbox, deleted_at }: OutboxDocument<E>): PendingEvents<E> {
  return { docId: _id, institutionId: institution_id, events: outbox, isDeleted: Boolean(deleted_at) };
}

/**
 * The number of events after which no more documents are read. Most documents have one, but a month that was deleted has one for each of its
 * workdays, of which there may be more than ten thousand.
 */
const MAX_EVENTS = 10_000;
/** The same for their characters as JSON. An event with the ids of many fields may have hundreds of thousands, and a document 200 of them. */
const MAX_CHARACTERS = 8_000_000;

async function firstOf<D extends { readonly outbox: readonly unknown[] }>(found: AsyncIterable<D>): Promise<D[]> {
  const read: D[] = [];
  let events = 0;
  let characters = 0;
  for await (const document of found) {
    read.push(document);
    events += document.outbox.length;
    characters += JSON.stringify(document.outbox).length;
    if (events >= MAX_EVENTS || characters >= MAX_CHARACTERS) break;
  }
  return read;
}

type Outboxes = Collection<OutboxDocument<OutboxEvent>>;

/**
 * Removes deleted documents whose last event was published; from the others, it removes only the published events.
 *
 * The documents are removed first, each in one step. In the other order, a crash in between would leave a deleted document with an empty
 * outbox, which nothing removes.
 */
async function clearDeleted(outboxes: Outboxes, deleted: readonly PublishedEvents[]): Promise<void> {
  if (deleted.length === 0) return;
  const deletions = deleted.map((one) => ({ deleteOne: { filter: goneAfter(one) } }));
  await outboxes.bulkWrite(deletions, { ordered: false });
  await removeEvents(outboxes, deleted);
}

/**
 * Removes published events from documents that were not deleted when they were read. Documents that have been deleted since are removed.
 */
async function clearPresent(outboxes: Outboxes, present: readonly PublishedEvents[]): Promise<void> {
  // Usually no document has been deleted since, and this is the only write.
  if (present.length === 0 || (await removeEvents(outboxes, present, PRESENT)) === present.length) return;
  await removeEvents(outboxes, present);
  const institutions = [...new Set(present.flatMap(({ institutionId = [] }) => institutionId))];
  const addresses = {
    _id: { $in: present.map(({ docId }) => docId) },
    ...(present.every(({ institutionId }) => institutionId !== undefined) && { institution_id: { $in: institutions } }),
  };
  await outboxes.deleteMany({ ...addresses, ...REMAINS });
}

/** Removes published events from the documents that match a filter. @returns the number of matching documents */
async function removeEvents(outboxes: Outboxes, published: readonly PublishedEvents[], state: mongo.Document = {}): Promise<number> {
  const pulls = published.map((one) => ({
    updateOne: { filter: { ...addressOf(one), ...state }, update: { $pull: { outbox: { id: { $in: one.eventIds } } } } },
  }));
  return (await outboxes.bulkWrite(pulls, { ordered: false })).matchedCount;
}

/** Not deleted: if the document is deleted later, its outbox no longer contains these events. */
const PRESENT = { deleted_at: null };

/** Deleted, and without a marker that keeps it. */
const GONE = { deleted_at: { $ne: null }, [MARKER_FIELD]: { $exists: false } };

/** Deleted, and without unpublished events. */
const REMAINS = { ...GONE, outbox: { $size: 0 } };

function eventIn({ after, upTo }: IdRange) {
  return { outbox: { $elemMatch: { id: { $gt: after, $lte: upTo } } } };
}

/** Matches the document if it is deleted, has no marker, and contains only events that were published. */
function goneAfter(published: PublishedEvents) {
  const other = { $elemMatch: { id: { $nin: published.eventIds } } };
  return { ...addressOf(published), ...GONE, outbox: { $not: other } };
}

/** Includes the institution, so that only one shard is queried. */
function addressOf({ docId, institutionId }: PublishedEvents) {
  return { _id: docId, ...(institutionId !== undefined && { institution_id: institutionId }) };
}
