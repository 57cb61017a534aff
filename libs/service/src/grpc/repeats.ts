import type { AppError } from '@stechuhr/kernel';
import { wasSent } from './status.js';

/** Pauses before the first and the second retry. */
const PAUSES_MS = [50, 200];
/** A service that took this long to report that it is unavailable was waiting for one of its dependencies, and would wait again. */
const SLOW_FAILURE_MS = 1_000;

/** A call that has failed. */
interface FailedCall {
  readonly error: AppError;
  /** 0 for the first attempt. */
  readonly attempt: number;
  /** When this attempt began, by `performance.now()`. */
  readonly startedAt: number;
  /** When all attempts must have ended, by `Date.now()`. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * The pause before a retry in milliseconds, with jitter; undefined if there is no retry. Only unavailability is retried, if the service reported it
 * quickly, or the connection was lost.
 */
export function pauseBeforeRepeat({ error, attempt, startedAt, deadline, signal }: FailedCall): number | undefined {
  const pauseMs = PAUSES_MS[attempt];
  if (pauseMs === undefined || error.code !== 'unavailable') return undefined;
  if (signal?.aborted || Date.now() + pauseMs >= deadline) return undefined;
  const isSlowAnswer = performance.now() - startedAt >= SLOW_FAILURE_MS && wasSent(error);
  return isSlowAnswer ? undefined : pauseMs * (0.5 + Math.random());
}
