import { connectObjectStore, createAddresses } from '@stechuhr/objectstore';
import type { Config } from '../config.js';
import { FILE_PREFIX, ownerOfFile } from '../domain/file-keys.js';
import type { Files } from '../operations/ports.js';

/** Files of one task that are removed at a time: one that waited for days has thousands of attempts, and mostly no file of them. */
const REMOVED_AT_A_TIME = 8;

/** The store of the files, signed for the address at which clients reach it. */
export function createFiles({ s3, publicEndpoint }: Pick<Config, 's3' | 'publicEndpoint'>): Files {
  const store = connectObjectStore(s3);
  const outside = createAddresses({ ...s3, endpoint: publicEndpoint });
  return {
    async *list() {
      for await (const { key, modifiedAt } of store.list(FILE_PREFIX)) yield { key, ...ownerOfFile(key), modifiedAt: modifiedAt.getTime() };
    },
    has: async (key) => (await store.stat(key)) !== undefined,
    async remove(keys) {
      // Shared: a failure ends it for all, so that nobody goes on asking a store that does not answer.
      const rest = eachOf(keys);
      const removeSome = async (): Promise<void> => {
        for (const key of rest) {
          // In this order: an upload that is finished in between would leave its file.
          await store.removeParts(key);
          await store.remove(key);
        }
      };
      await Promise.all(Array.from({ length: REMOVED_AT_A_TIME }, removeSome));
    },
    addressOf: (key, expiresSeconds, fileName) => outside.presignedGet(key, expiresSeconds, { fileName }),
  };
}

function* eachOf<T>(items: readonly T[]): Generator<T, void, undefined> {
  yield* items;
}
