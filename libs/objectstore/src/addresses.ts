import { systemClock, type Clock } from '@stechuhr/kernel';
import type { Bucket } from './bucket.js';
import { postFieldsV2, postFieldsV4, type PostForm, type PostRule } from './post-form.js';
import { presignGet, type PresentedAs } from './presigned-get.js';
import { SignerV4 } from './signature-v4.js';

/** Signs URLs and upload forms for clients of the store; sends no requests. The results are secrets until they expire. */
export interface Addresses {
  /** Returns a URL with which anyone can read the object. The object need not exist. */
  presignedGet(key: string, expiresSeconds: number, as?: PresentedAs): string;
  /** Returns a form with which anyone can store the object. */
  postForm(rule: PostRule): PostForm;
}

/** `v2` for the four fields that the spec shows; `v4` for stores that do not support version 2. */
export type PostSignature = 'v2' | 'v4';

interface AddressOptions extends Bucket {
  readonly postSignature?: PostSignature;
  /** The clock for the date of signatures. */
  readonly clock?: Clock;
}

/**
 * Creates signed URLs and forms for a bucket, with the endpoint at which clients reach it.
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
