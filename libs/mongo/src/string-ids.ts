import type { Collection } from 'mongoose';

/** A document under its natural key. */
export interface StringIdDocument {
  readonly _id: string;
}

/** The collection as what it is: mongoose types the `_id` of every `Model.collection` as an ObjectId, ours are strings. */
export function withStringIds<T extends StringIdDocument>(collection: Collection): Collection<T> {
  return collection as unknown as Collection<T>;
}
