import type { AppError, AppErrorCode } from '@stechuhr/kernel';

/** What to do with a message whose handler failed. */
export type Verdict = { readonly kind: 'retry'; readonly delayMs: number } | { readonly kind: 'give_up' };

/** How often and how soon a message is retried. */
export interface RetryPolicy {
  /** Failures until a message becomes a dead letter. */
  readonly maxAttempts: number;
  /** Pause after the first, second, … failure; the last one repeats. */
  readonly backoffMs: readonly number[];
}

// A dependency that is back after a minute or two is used again at once. An outage must not turn every message into a dead letter, of which each
// institution may only have a limited number: all attempts together take more than a week.
const SOON_ATTEMPTS = 40;
const SOON_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;
const ATTEMPTS_WHILE_UNAVAILABLE = SOON_ATTEMPTS + (8 * 86_400_000) / LONGEST_PAUSE_MS;

const NEVER_BETTER = new Set<AppErrorCode>(['invalid', 'not_found', 'unauthenticated', 'forbidden', 'conflict']);

/** How often a message was tried, including this time. */
export interface Tried {
  /** Includes those that ended with a process, or in which a server was unavailable. */
  readonly deliveries: number;
  /** In this process, and because of the message. */
  readonly failures: number;
}

/**
 * Decides what to do after a failure. What can never succeed becomes a dead letter at once; `precondition`, `rate_limited` and `internal` are retried
 * before they are given up; `unavailable` is not caused by the message, so it is retried for long and does not count.
 */
export function judge(error: AppError, { deliveries, failures }: Tried, { maxAttempts, backoffMs }: RetryPolicy): Verdict {
  if (NEVER_BETTER.has(error.code)) return { kind: 'give_up' };
  const pauseAfter = (times: number): number => backoffMs[Math.min(times, backoffMs.length) - 1] ?? 1_000;
  if (error.code !== 'unavailable') return failures >= maxAttempts ? { kind: 'give_up' } : { kind: 'retry', delayMs: pauseAfter(failures) };
  if (deliveries >= ATTEMPTS_WHILE_UNAVAILABLE) return { kind: 'give_up' };
  const longest = deliveries <= SOON_ATTEMPTS ? SOON_PAUSE_MS : LONGEST_PAUSE_MS;
  return { kind: 'retry', delayMs: Math.min(pauseAfter(deliveries) * 2 ** Math.min(deliveries, 8), longest) };
}
