import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** The specification wants 24 to 64. */
const SECRET_BYTES = 32;

/** A secret as its receiver gets it: `whsec_` and base64. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** One request as it is signed. */
export interface SignedContent {
  /** The `webhook-id`: the same for every attempt. */
  readonly id: string;
  /** Of the attempt, in seconds since 1970. */
  readonly timestamp: number;
  /** The bytes that are sent. */
  readonly body: string;
}

/** The `webhook-signature` of the Standard Webhooks specification: a signature for each secret, separated by a blank. */
export function signatureOf({ id, timestamp, body }: SignedContent, secrets: readonly string[]): string {
  const content = `${id}.${String(timestamp)}.${body}`;
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
    })
    .join(' ');
}
