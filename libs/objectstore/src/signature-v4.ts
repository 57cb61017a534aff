import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

/** The credentials that sign requests. */
export interface Credentials {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
}

export const ALGORITHM = 'AWS4-HMAC-SHA256';

/** Creates signatures of version 4 (AWS, "Signing AWS API requests"); the signing key is derived once per day. */
export class SignerV4 {
  #keyOfDay: { readonly day: string; readonly key: KeyObject } | undefined;

  constructor(private readonly credentials: Credentials) {}

  /** Returns the access key and the scope, in the format of `X-Amz-Credential`. */
  credential(at: Date): string {
    return `${this.credentials.accessKey}/${this.#scope(at)}`;
  }

  /** Signs a Base64-encoded policy. */
  signPolicy(policy: string, at: Date): string {
    return hmac(this.#key(at), policy).toString('hex');
  }

  /** Signs a canonical request. */
  signRequest(canonical: string, at: Date): string {
    return this.signPolicy([ALGORITHM, timestamp(at), this.#scope(at), hash('sha256', canonical, 'hex')].join('\n'), at);
  }

  #scope(at: Date): string {
    return `${dayOf(at)}/${this.credentials.region}/s3/aws4_request`;
  }

  /** A key object, because preparing the bytes of a key takes several times as long as signing. */
  #key(at: Date): KeyObject {
    const day = dayOf(at);
    if (this.#keyOfDay?.day === day) return this.#keyOfDay.key;
    const parts = [day, this.credentials.region, 's3', 'aws4_request'];
    const key = createSecretKey(parts.reduce(hmac, Buffer.from(`AWS4${this.credentials.secretKey}`)));
    this.#keyOfDay = { day, key };
    return key;
  }
}

/** Formats a time as `YYYYMMDDTHHMMSSZ`. */
export function timestamp(at: Date): string {
  return at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

function dayOf(at: Date): string {
  return timestamp(at).slice(0, 8);
}

function hmac(key: Buffer | KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
