import { systemClock, type Clock } from '@stechuhr/kernel';
import type { Bucket } from './bucket.js';
import { postFieldsV2, postFieldsV4, type PostForm, type PostRule } from './post-form.js';
import { presignGet, type PresentedAs } from './presigned-get.js';
import { SignerV4 } from './signature-v4.js';

/** Signs for those who go to the store themselves; sends nothing. What it answers are secrets until they expire. */
export interface Addresses {
  /** Lets whoever has it read the object; there need not be one. */
  presignedGet(key: string, expiresSeconds: number, as?: PresentedAs): string;
  /** Lets whoever has it store the object. */
  postForm(rule: PostRule): PostForm;
}

/** `v2` for the four fields that the spec shows; `v4` for stores that know no other. */
export type PostSignature = 'v2' | 'v4';

interface AddressOptions extends Bucket {
  readonly postSignature?: PostSignature;
  /** Says when signatures begin. */
  readonly clock?: Clock;
}

/**
 * Addresses of a bucket, at the endpoint where those who get them reach it.
 *
 * @param options.postSignature `v2` by default
 */
export function createAddresses(options: AddressOptions): Addresses {
  const { bucket, region = 'us-east-1', postSignature = 'v2', clock = systemClock } = options;
  const url = new URL(bucket, options.endpoint);
  const signer = new SignerV4({ ...options, region });
  const now = (): Date => new Date(clock.now());
  return {
    presignedGet: (key, expiresSeconds, as = {}) => presignGet(signer, { url, key, expiresSeconds, as, at: now() }),
    postForm: (rule) => ({
      url: url.href,
      fields: postSignature === 'v2' ? postFieldsV2(options, rule) : postFieldsV4(bucket, rule, signer, now()),
    }),
  };
}
