import { connectObjectStore, createAddresses } from '@stechuhr/objectstore';
import type { Config } from '../config.js';
import type { Files } from '../operations/ports.js';

/** The store of the files, signed for the address at which clients reach it. */
export function createFiles({ s3, publicEndpoint }: Pick<Config, 's3' | 'publicEndpoint'>): Files {
  const store = connectObjectStore(s3);
  const outside = createAddresses({ ...s3, endpoint: publicEndpoint });
  return {
    has: async (key) => (await store.stat(key)) !== undefined,
    async remove(keys) {
      await Promise.all(keys.map((key) => store.remove(key)));
    },
    addressOf: (key, expiresSeconds, fileName) => outside.presignedGet(key, expiresSeconds, { fileName }),
  };
}
