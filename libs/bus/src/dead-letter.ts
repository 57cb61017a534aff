import type { DeadLetter } from '@stechuhr/contracts';
import { cutText } from '@stechuhr/kernel';

const MAX_REASON = 1_000;

interface GivenUp {
  readonly subject: string;
  readonly payload: Uint8Array;
  readonly reason: string;
  readonly deliveries: number;
  readonly failedAt: number;
}

/**
 * Describes a message that could not be handled.
 * @param maxBytes the limit of the server. Of a longer payload only the beginning is kept: if the dead letter could not be published, the message
 * would be redelivered forever
 */
export function describeDeadLetter({ subject, payload, reason, deliveries, failedAt }: GivenUp, maxBytes: number): DeadLetter {
  const letter = { subject, reason: cutText(reason, MAX_REASON), deliveries, failed_at: new Date(failedAt).toISOString() };
  const text = utf8(payload);
  const whole: DeadLetter = text === undefined ? { ...letter, payload_base64: base64(payload) } : { ...letter, payload: text };
  if (Buffer.byteLength(JSON.stringify(whole)) <= maxBytes) return whole;
  return { ...letter, payload_base64: base64(payload.subarray(0, maxBytes / 2)), payload_truncated: true };
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
