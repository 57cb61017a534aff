import { originOfDeadLetter } from '@stechuhr/contracts';
import type { StoredMessage } from '@stechuhr/bus';
import { z } from 'zod';

const content = z.object({
  subject: z.string(),
  reason: z.string(),
  deliveries: z.int(),
  failed_at: z.string(),
  payload: z.string().optional(),
  payload_base64: z.string().optional(),
  payload_truncated: z.boolean().optional(),
});

/** A message that could not be handled, as `dead-letters show` prints it. */
export interface Letter extends z.infer<typeof content> {
  /** Its sequence number in the dead-letter stream, which identifies it. */
  readonly sequence: number;
  /** What gave up on the message: `ingest` for live objects, otherwise the name of the service. */
  readonly origin: string;
}

/** @returns undefined if the message is not a dead letter */
export function toLetter({ sequence, subject, payload }: StoredMessage): Letter | undefined {
  const parsed = content.safeParse(jsonOf(Buffer.from(payload).toString('utf8')));
  const origin = originOfDeadLetter(subject);
  return parsed.success && origin !== undefined ? { sequence, origin, ...parsed.data } : undefined;
}

/** The original message; undefined if only its beginning was stored. */
export function payloadOf({ payload, payload_base64, payload_truncated }: Letter): Uint8Array | undefined {
  if (payload_truncated === true) return undefined;
  return payload === undefined ? Buffer.from(payload_base64 ?? '', 'base64') : Buffer.from(payload, 'utf8');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
