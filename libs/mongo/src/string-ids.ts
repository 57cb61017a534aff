import type { Collection } from 'mongoose';

/** A document with its natural key as `_id`. */
export interface StringIdDocument {
  readonly _id: string;
}

/** Corrects the type of a collection: in mongoose, `_id` of every `Model.collection` is an ObjectId, whereas ours are strings. */
export function withStringIds<T extends StringIdDocument>(collection: Collection): Collection<T> {
  return collection as unknown as Collection<T>;
}
