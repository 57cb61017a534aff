import { mongo } from 'mongoose';
import type { Documents } from './collections.js';

const DUPLICATE_KEY = 11_000;

/**
 * Runs writes of which each names the version that it follows. One that creates a document is an upsert on version 0, which collides with
 * a document that somebody else created; one that changes a document finds none when somebody else changed it.
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
    if (isCollision(caught)) return false;
    throw caught;
  }
}

function isCollision(caught: unknown): boolean {
  if (!(caught instanceof mongo.MongoBulkWriteError)) return false;
  const errors = Array.isArray(caught.writeErrors) ? caught.writeErrors : [caught.writeErrors];
  return errors.every((error) => error.code === DUPLICATE_KEY);
}
