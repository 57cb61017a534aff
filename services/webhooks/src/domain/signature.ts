import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** The specification requires 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** Returns a new secret in the format of the specification: `whsec_` and base64. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** The signed content of a request. */
export interface SignedContent {
  /** The `webhook-id`, which is the same for every attempt. */
  readonly id: string;
  /** The time of the attempt, in seconds since 1970. */
  readonly timestamp: number;
  /** The body as sent. */
  readonly body: string;
}

/** Returns the header `webhook-signature` of the Standard Webhooks specification: one signature for each secret, separated by spaces. */
export function signatureOf({ id, timestamp, body }: SignedContent, secrets: readonly string[]): string {
  const content = `${id}.${String(timestamp)}.${body}`;
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
    })
    .join(' ');
}
