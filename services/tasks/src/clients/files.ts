import { connectObjectStore, createAddresses } from '@stechuhr/objectstore';
import type { Config } from '../config.js';
import { FILE_PREFIX, ownerOfFile } from '../domain/file-keys.js';
import type { Files } from '../operations/ports.js';

/**
 * The number of files of one task that are removed concurrently. A task that was retried for days has thousands of attempts, most of them
 * without a file.
 */
const REMOVED_AT_A_TIME = 8;

/** Creates the file store. Download addresses are signed for the endpoint at which clients reach it. */
export function createFiles({ s3, publicEndpoint }: Pick<Config, 's3' | 'publicEndpoint'>): Files {
  const store = connectObjectStore(s3);
  const outside = createAddresses({ ...s3, endpoint: publicEndpoint });
  return {
    async *list() {
      for await (const { key, modifiedAt } of store.list(FILE_PREFIX)) yield { key, ...ownerOfFile(key), modifiedAt: modifiedAt.getTime() };
    },
    has: async (key) => (await store.stat(key)) !== undefined,
    async remove(keys) {
      // Shared by all loops: a failure stops all of them, so that none continues to send requests to an unavailable store.
      const rest = eachOf(keys);
      const removeSome = async (): Promise<void> => {
        for (const key of rest) {
          // The order matters: an upload that completes in between would leave its file.
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
