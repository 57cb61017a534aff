import { randomInt } from 'node:crypto';
import { AppError } from '@stechuhr/kernel';
import { throwIfNoRoom } from '@stechuhr/mongo';
import { mongo, type Collection } from 'mongoose';
import type { Documents } from './collections.js';

const DUPLICATE_KEY = 11_000;

/**
 * Runs writes of which each names the version that it follows. One that creates a document is an insert, which collides with a document that
 * another writer created; one that changes a document finds none when another writer changed it.
 *
 * @returns whether all of them found what they follow
 * @throws AppError `unavailable` where too many events of a document wait
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
  // The native collection of any kind of document.
  await throwIfNoRoom(collection as unknown as Collection, { _id: { $in: ids }, institution_id: { $in: institutions } });
  return false;
}

interface Named {
  readonly _id: string;
  readonly institution_id: string;
}

const FIRST_VERSIONS = 2 ** 40;

/**
 * The version of a write. That of a new document is drawn: it may take the place of a deleted one with the same id, and whoever read that
 * one must not find its version again.
 */
export function nextVersion(after: { readonly version: number } | undefined): number {
  return after === undefined ? randomInt(FIRST_VERSIONS) : after.version + 1;
}

/** The filter of an update has the id, the institution and the version. */
export type VersionedWrite<T extends { _id: string }> =
  { readonly updateOne: mongo.UpdateOneModel<T> } | { readonly insertOne: { readonly document: mongo.OptionalId<T> } };

async function writeVersions<T extends { _id: string }>(collection: Documents<T>, writes: readonly VersionedWrite<T>[]): Promise<boolean> {
  try {
    const { insertedCount, matchedCount, upsertedCount } = await collection.bulkWrite([...writes], { ordered: false });
    return insertedCount + matchedCount + upsertedCount === writes.length;
  } catch (caught) {
    if (!(caught instanceof mongo.MongoBulkWriteError)) throw caught;
    const errors = [caught.writeErrors].flat();
    // Without errors of single writes it wraps what the driver met, and only that shows whether the server is unavailable.
    if (errors.length === 0) throw AppError.from(caught.errorResponse);
    if (errors.some(({ code }) => code !== DUPLICATE_KEY)) throw caught;
    return false;
  }
}
