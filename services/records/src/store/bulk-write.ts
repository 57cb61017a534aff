import { AppError } from '@stechuhr/kernel';
import { mongo } from 'mongoose';
import type { Documents } from './collections.js';

const DUPLICATE_KEY = 11_000;

/**
 * Runs writes of which each names the version that it follows. One that creates a document is an upsert on version 0, which collides with
 * a document that another writer created; one that changes a document finds none when another writer changed it.
 *
 * @returns whether all of them found what they follow
 */
export async function writeAll<T extends { _id: string }>(
  collection: Documents<T>,
  writes: readonly mongo.AnyBulkWriteOperation<T>[],
): Promise<boolean> {
  if (writes.length === 0) return true;
  try {
    const { matchedCount, upsertedCount } = await collection.bulkWrite([...writes], { ordered: false });
    return matchedCount + upsertedCount === writes.length;
  } catch (caught) {
    if (!(caught instanceof mongo.MongoBulkWriteError)) throw caught;
    const errors = [caught.writeErrors].flat();
    // Without errors of single writes it wraps what the driver met, and only that shows whether the server is unavailable.
    if (errors.length === 0) throw AppError.from(caught.errorResponse);
    if (errors.some(({ code }) => code !== DUPLICATE_KEY)) throw caught;
    return false;
  }
}
