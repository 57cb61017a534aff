import type { AppError, AppErrorCode } from '@stechuhr/kernel';

/** What becomes of a message whose handler failed. */
export type Verdict = { readonly kind: 'retry'; readonly delayMs: number } | { readonly kind: 'give_up' };

/** How often and how soon a message is tried again. */
export interface RetryPolicy {
  /** Deliveries until a message becomes a dead letter. */
  readonly maxAttempts: number;
  /** Pause after the first, second, … failure; the last one repeats. */
  readonly backoffMs: readonly number[];
}

// What is back after a minute or two is used again at once, and an outage of minutes must not turn every message of it into a dead letter:
// all attempts together take the better part of an hour.
const SOON_ATTEMPTS = 40;
const SOON_PAUSE_MS = 2_000;
const ATTEMPTS_WHILE_UNAVAILABLE = 140;
const LONGEST_PAUSE_MS = 30_000;

const NEVER_BETTER = new Set<AppErrorCode>(['invalid', 'not_found', 'unauthenticated', 'forbidden', 'conflict']);

/**
 * Judges a failure: what can never succeed becomes a dead letter at once; `precondition`, `rate_limited` and `internal` are retried first,
 * then given up; `unavailable` is not caused by the message and is retried for long.
 *
 * @param deliveries how often the message was delivered, this time included
 */
export function judge(error: AppError, deliveries: number, { maxAttempts, backoffMs }: RetryPolicy): Verdict {
  if (NEVER_BETTER.has(error.code)) return { kind: 'give_up' };
  const unavailable = error.code === 'unavailable';
  if (deliveries >= (unavailable ? ATTEMPTS_WHILE_UNAVAILABLE : maxAttempts)) return { kind: 'give_up' };
  const pause = backoffMs[Math.min(deliveries, backoffMs.length) - 1] ?? 1_000;
  if (!unavailable) return { kind: 'retry', delayMs: pause };
  const longest = deliveries <= SOON_ATTEMPTS ? SOON_PAUSE_MS : LONGEST_PAUSE_MS;
  return { kind: 'retry', delayMs: Math.min(pause * 2 ** Math.min(deliveries, 8), longest) };
}
