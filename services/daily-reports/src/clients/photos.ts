import { MAX_PHOTO_BYTES } from '@stechuhr/contracts';
import type { Clock } from '@stechuhr/kernel';
import { createAddresses, photoTypeOf } from '@stechuhr/objectstore';
import type { Config } from '../config.js';
import type { PhotoStore } from '../operations/ports.js';

const DOWNLOAD_SECONDS = 3_600;
const UPLOAD_MS = 12 * 3_600_000;

/** An uploader may claim any media type: what is not a photo is served as bytes, which no browser runs. */
const UNKNOWN_TYPE = 'application/octet-stream';

/** Addresses of photos, signed for the endpoint at which clients reach the store. */
export function createPhotos(
  { s3, publicEndpoint, postSignature }: Pick<Config, 's3' | 'publicEndpoint' | 'postSignature'>,
  clock: Clock,
): PhotoStore {
  const addresses = createAddresses({ ...s3, endpoint: publicEndpoint, postSignature, clock });
  return {
    downloadUrl: (key) => addresses.presignedGet(key, DOWNLOAD_SECONDS, { contentType: photoTypeOf(key) ?? UNKNOWN_TYPE }),
    uploadForm: (key) => addresses.postForm({ key, maxBytes: MAX_PHOTO_BYTES, expiresAt: new Date(clock.now() + UPLOAD_MS) }),
  };
}
