import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** The specification requires 24 to 64. */
const SECRET_BYTES = 32;

/** A secret in the form in which its receiver gets it: `whsec_` and base64. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** The signed parts of a request. */
export interface SignedContent {
  /** The `webhook-id`, which is the same for every attempt. */
  readonly id: string;
  /** Of the attempt, in seconds since 1970. */
  readonly timestamp: number;
  /** The body as sent. */
  readonly body: string;
}

/** The `webhook-signature` of the Standard Webhooks specification: one signature for each secret, separated by blanks. */
export function signatureOf({ id, timestamp, body }: SignedContent, secrets: readonly string[]): string {
  const content = `${id}.${String(timestamp)}.${body}`;
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
    })
    .join(' ');
}
