import { createHmac } from 'node:crypto';
import { ALGORITHM, timestamp, type Credentials, type SignerV4 } from './signature-v4.js';

/** The restrictions of an upload form. */
export interface PostRule {
  readonly key: string;
  /** Inclusive. Empty files are refused as well. */
  readonly maxBytes: number;
  readonly expiresAt: Date;
}

/**
 * A form (`multipart/form-data`) that stores one object: all fields, then the file under the name `file`. It is a secret until it expires.
 */
export interface PostForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

type Target = Pick<Credentials, 'accessKey' | 'secretKey'> & { readonly bucket: string };

/**
 * Returns the four fields of a form with a policy signed with version 2 (AWS, "Authenticating Requests in Browser-Based Uploads Using POST,
 * Signature Version 2").
 */
export function postFieldsV2({ accessKey, secretKey, bucket }: Target, rule: PostRule): Record<string, string> {
  const policy = encodePolicy(rule, conditionsOf(bucket, rule));
  const signature = createHmac('sha1', secretKey).update(policy).digest('base64');
  return { key: rule.key, AWSAccessKeyId: accessKey, policy, signature };
}

/** Returns the fields of the same form signed with version 4, whose policy also contains the parameters of the signature. */
export function postFieldsV4(bucket: string, rule: PostRule, signer: SignerV4, at: Date): Record<string, string> {
  const signed = { 'x-amz-algorithm': ALGORITHM, 'x-amz-credential': signer.credential(at), 'x-amz-date': timestamp(at) };
  const policy = encodePolicy(rule, [...conditionsOf(bucket, rule), ...Object.entries(signed).map(([name, value]) => ({ [name]: value }))]);
  return { key: rule.key, ...signed, policy, 'x-amz-signature': signer.signPolicy(policy, at) };
}

function conditionsOf(bucket: string, { key, maxBytes }: PostRule): unknown[] {
  return [{ bucket }, { key }, ['content-length-range', 1, maxBytes]];
}

function encodePolicy({ expiresAt }: PostRule, conditions: readonly unknown[]): string {
  return Buffer.from(JSON.stringify({ expiration: expiresAt.toISOString(), conditions })).toString('base64');
}
