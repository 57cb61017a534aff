import { mongo, type Collection } from 'mongoose';
import { withStringIds, type StringIdDocument } from './string-ids.js';

/** Options for reading documents. */
export interface RawReadOptions {
  /** The fields to read; required, because decoding each field takes time. */
  readonly projection: Readonly<Record<string, 0 | 1>>;
  /** Aborts the read. */
  readonly signal?: AbortSignal;
}

/** Options for reading the documents that match a filter. */
export interface RawFindOptions extends RawReadOptions {
  readonly sort?: Readonly<Record<string, 1 | -1>>;
}

const BATCH_SIZE = 1_000;

/**
 * Reads documents by their ids, slice by slice. The next slice is fetched while the current one is processed; if the consumer leaves the
 * loop, at most that slice was fetched in vain. Documents are decoded once from raw BSON, without mongoose: 1.5 to 2.3 times faster than a
 * cursor.
 *
 * @param slices string ids, for about 100 employees each
 * @returns the documents of each slice, in the order of the ids; missing documents are left out
 */
export async function* readSlices<T extends StringIdDocument>(
  collection: Collection,
  slices: Iterable<readonly string[]>,
  options: RawReadOptions,
): AsyncGenerator<T[], void, undefined> {
  const leave = new AbortController();
  const signal = options.signal === undefined ? leave.signal : AbortSignal.any([leave.signal, options.signal]);
  const remaining = slices[Symbol.iterator]();
  const fetchNext = () => {
    const { value: ids, done } = remaining.next();
    if (done) return undefined;
    const fetched = fetchSlice(collection, ids, { ...options, signal });
    // A prefetched slice may fail before it is awaited. This avoids an unhandled rejection; the error is thrown when the slice is awaited.
    fetched.catch(() => undefined);
    return { ids, fetched };
  };
  try {
    for (let current = fetchNext(); current !== undefined;) {
      const documents = await current.fetched;
      const next = fetchNext();
      yield inOrder<T>(current.ids, documents);
      current = next;
    }
  } finally {
    leave.abort();
  }
}

/**
 * Reads documents one by one with a raw cursor; leaving the loop closes it. Only for filters that an index bounds, never for a whole
 * collection of months.
 */
export async function* findRaw<T>(
  collection: Collection,
  filter: mongo.Filter<mongo.Document>,
  { projection, sort, signal }: RawFindOptions,
): AsyncGenerator<T, void, undefined> {
  const cursor = collection.find(filter, {
    raw: true,
    projection,
    batchSize: BATCH_SIZE,
    ...(sort && { sort }),
    ...(signal && { signal }),
  });
  for await (const document of cursor) yield decodeRaw<T>(document);
}

function fetchSlice(collection: Collection, ids: readonly string[], { projection, signal }: RawReadOptions): Promise<mongo.Document[]> {
  return withStringIds(collection)
    .find(
      { _id: { $in: [...ids] } },
      {
        raw: true,
        projection,
        // A full first batch would cause an unnecessary round trip.
        batchSize: ids.length + 1,
        ...(signal && { signal }),
      },
    )
    .toArray();
}

function inOrder<T extends StringIdDocument>(ids: readonly string[], documents: readonly mongo.Document[]): T[] {
  const byId = new Map<string, T>();
  for (const raw of documents) {
    const document = decodeRaw<T>(raw);
    byId.set(document._id, document);
  }
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Decodes a document that was read with `raw: true`: the driver then returns bytes, although its types say document. */
export function decodeRaw<T>(raw: mongo.Document): T {
  return mongo.BSON.deserialize(raw as Uint8Array) as T;
}
