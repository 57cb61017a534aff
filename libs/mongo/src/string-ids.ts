import type { Collection } from 'mongoose';

/** A document whose `_id` is a string. */
export interface StringIdDocument {
  readonly _id: string;
}

/** Corrects the type of a collection: mongoose types every `_id` of `Model.collection` as ObjectId, but ours are strings. */
export function withStringIds<T extends StringIdDocument>(collection: Collection): Collection<T> {
  return collection as unknown as Collection<T>;
}
