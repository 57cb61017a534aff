import { connectObjectStore, createAddresses } from '@stechuhr/objectstore';
import type { Config } from '../config.js';
import { FILE_PREFIX, ownerOfFile } from '../domain/file-keys.js';
import type { Files } from '../operations/ports.js';

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
      const remove = async (key: string): Promise<void> => {
        await store.remove(key);
        await store.removeParts(key);
      };
      await Promise.all(keys.map(remove));
    },
    addressOf: (key, expiresSeconds, fileName) => outside.presignedGet(key, expiresSeconds, { fileName }),
  };
}
