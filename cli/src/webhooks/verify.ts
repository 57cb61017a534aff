import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { Failure } from '../failure.js';
import type { Output } from '../output.js';

/** The options of `webhooks verify` as typed by the user. */
export interface VerifyOptions {
  readonly secretFile: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
}

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/**
 * Verifies the signature of a request according to the Standard Webhooks specification, without checking its age.
 * @returns the exit code: 1 if no signature matches
 */
export async function runVerify(file: string, { secretFile, id, timestamp, signature }: VerifyOptions, output: Output): Promise<number> {
  const [, key] = SECRET.exec(read(secretFile).toString('utf8').trim()) ?? [];
  if (key === undefined) throw new Failure(`${secretFile} has no secret of a webhook (whsec_…).`, 2);
  const body = file === '-' ? await buffer(process.stdin) : read(file);
  const hmac = createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${timestamp}.`).update(body);
  const expected = Buffer.from(`v1,${hmac.digest('base64')}`);
  const valid = signature.split(' ').some((one) => isEqual(Buffer.from(one), expected));
  return output.result({ valid }, () => (valid ? 'The signature matches.' : 'No signature matches.'), valid ? 0 : 1);
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (caught) {
    throw new Failure(`${file} cannot be read.`, 2, caught);
  }
}
