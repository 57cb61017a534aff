import { MAX_PHOTO_BYTES } from '@stechuhr/contracts';
import type { Clock } from '@stechuhr/kernel';
import { createAddresses, keptKeyOf, photoTypeOf, UPLOADS, type ObjectStore } from '@stechuhr/objectstore';
import type { Config } from '../config.js';
import { FORM_MS } from '../domain/upload.js';
import type { PhotoStore, StoredPhoto } from '../operations/ports.js';

const DOWNLOAD_SECONDS = 3_600;

/** Uploaders may declare any media type. An object that is not a photo is served with this type, so that no browser executes it. */
const UNKNOWN_TYPE = 'application/octet-stream';

/** Creates the photo store. Addresses are signed for the endpoint at which clients reach it. */
export function createPhotos(
  { s3, publicEndpoint, postSignature }: Pick<Config, 's3' | 'publicEndpoint' | 'postSignature'>,
  { store, clock }: { readonly store: ObjectStore; readonly clock: Clock },
): PhotoStore {
  const addresses = createAddresses({ ...s3, endpoint: publicEndpoint, postSignature, clock });
  const isKept = async (key: string) => (await store.stat(keptKeyOf(key))) !== undefined;
  return {
    downloadUrl: (key) => addresses.presignedGet(key, DOWNLOAD_SECONDS, { contentType: photoTypeOf(key) ?? UNKNOWN_TYPE }),
    uploadForm: (key) => addresses.postForm({ key, maxBytes: MAX_PHOTO_BYTES, expiresAt: new Date(clock.now() + FORM_MS) }),
    list: (which) => list(store, which),
    keptKey: keptKeyOf,
    isKept,
    keep: async (key) => (await isKept(key)) || store.copy(key, keptKeyOf(key)),
    clear: (key) => store.remove(key),
    async discard(key) {
      await store.remove(key);
      await store.remove(keptKeyOf(key));
    },
  };
}

async function* list(store: ObjectStore, which: 'kept' | 'uploaded'): AsyncGenerator<StoredPhoto, void, undefined> {
  const kept = keptKeyOf('');
  for await (const { key, modifiedAt } of store.list(which === 'kept' ? kept : UPLOADS)) {
    const isKept = key.startsWith(kept);
    if (isKept !== (which === 'kept')) continue;
    const issued = isKept ? key.slice(kept.length) : key;
    yield { key: issued, institutionId: issued.split('/')[1] ?? '', modifiedAt: modifiedAt.getTime() };
  }
}
