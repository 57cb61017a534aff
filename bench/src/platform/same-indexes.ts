import type { mongo } from 'mongoose';

/** Gives a collection the indexes that another one has. */
export async function createSameIndexes(from: mongo.Collection, to: mongo.Collection): Promise<void> {
  for (const { key, name, v: _, ...options } of await from.indexes()) if (name !== '_id_') await to.createIndex(key, options);
}
