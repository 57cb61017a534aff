import type { mongo } from 'mongoose';

/** Creates the indexes of one collection on another one. */
export async function createSameIndexes(from: mongo.Collection, to: mongo.Collection): Promise<void> {
  for (const { key, name, v: _, ...options } of await from.indexes()) if (name !== '_id_') await to.createIndex(key, options);
}
