import type { AppError } from '@stechuhr/kernel';
import { isInterrupted, wasRefused, wasSent } from './status.js';

/** Pauses before the first and the second retry, in milliseconds. */
const PAUSES_MS = [50, 200];
/** A service that takes this long to report that it is unavailable was waiting for one of its dependencies, and would wait again. */
const SLOW_FAILURE_MS = 1_000;

/** A failed attempt of a call. */
interface FailedCall {
  readonly idempotent: boolean;
  readonly error: AppError;
  /** The error of the first attempt, if this is a later one. */
  readonly first: AppError | undefined;
  /** 0 for the first attempt. */
  readonly attempt: number;
  /** When this attempt began, by `performance.now()`. */
  readonly startedAt: number;
  /** When all attempts must have ended, by `Date.now()`. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Returns the pause before a call is retried, in milliseconds, with jitter; undefined if it is not retried. A call that was refused before its handler
 * saw it may always be retried. Idempotent ones are also retried if the service quickly reported that it is unavailable, or if its connection was lost.
 * If the connection was lost before, too, the call itself may be what ends the process of the service, and it would end the next replica.
 */
export function pauseBeforeRepeat({ error, idempotent, first, attempt, startedAt, deadline, signal }: FailedCall): number | undefined {
  const pauseMs = PAUSES_MS[attempt];
  if (pauseMs === undefined || error.code !== 'unavailable' || !(idempotent || wasRefused(error))) return undefined;
  if (first !== undefined && isInterrupted(first) && isInterrupted(error)) return undefined;
  if (signal?.aborted || Date.now() + pauseMs >= deadline) return undefined;
  const isSlowAnswer = performance.now() - startedAt >= SLOW_FAILURE_MS && wasSent(error);
  return isSlowAnswer ? undefined : pauseMs * (0.5 + Math.random());
}
