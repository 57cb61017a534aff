import { randomInt } from 'node:crypto';
import { failedWritesOf, throwIfNoRoom } from '@stechuhr/mongo';
import type { Collection, mongo } from 'mongoose';
import type { Documents } from './collections.js';

/**
 * Runs compare-and-set writes. A write that creates a document is an insert, which fails if another writer created the document. A write
 * that changes a document finds none if another writer changed it.
 *
 * @returns whether all writes found the version that they follow
 * @throws AppError `unavailable` if a document has too many unpublished events
 */
export async function writeAll<T extends { _id: string; institution_id: string }>(
  collection: Documents<T>,
  writes: readonly VersionedWrite<T>[],
): Promise<boolean> {
  if (writes.length === 0 || (await writeVersions(collection, writes))) return true;
  const filters = writes.flatMap((write) => ('updateOne' in write ? [write.updateOne.filter as Named] : []));
  if (filters.length === 0) return false;
  const ids = filters.map(({ _id }) => _id);
  const institutions = [...new Set(filters.map(({ institution_id }) => institution_id))];
  // The native collection, regardless of its document type.
  await throwIfNoRoom(collection as unknown as Collection, { _id: { $in: ids }, institution_id: { $in: institutions } });
  return false;
}

interface Named {
  readonly _id: string;
  readonly institution_id: string;
}

const FIRST_VERSIONS = 2 ** 40;

/**
 * Returns the version that a write stores. The first version of a document is random: the document may replace a deleted one with the same
 * id, and a writer that read the deleted document must not find its version again.
 */
export function nextVersion(after: { readonly version: number } | undefined): number {
  return after === undefined ? randomInt(FIRST_VERSIONS) : after.version + 1;
}

/** A write whose filter, if it is an update, contains the id, the institution and the version. */
export type VersionedWrite<T extends { _id: string }> =
  { readonly updateOne: mongo.UpdateOneModel<T> } | { readonly insertOne: { readonly document: mongo.OptionalId<T> } };

async function writeVersions<T extends { _id: string }>(collection: Documents<T>, writes: readonly VersionedWrite<T>[]): Promise<boolean> {
  try {
    const { insertedCount, matchedCount, upsertedCount } = await collection.bulkWrite([...writes], { ordered: false });
    return insertedCount + matchedCount + upsertedCount === writes.length;
  } catch (caught) {
    if (failedWritesOf(caught).some(({ isDuplicateKey }) => !isDuplicateKey)) throw caught;
    return false;
  }
}
