import { institutionOf } from '@stechuhr/contracts';
import { createFairLimiter, type FairLimiter } from '@stechuhr/kernel';

/**
 * Unary calls of an institution that a server handles at a time; others of it wait. A hundred calls at a time are not answered sooner than a few, but
 * they would make each step of every other institution's calls wait behind a hundred steps of theirs.
 */
export const CALLS_PER_INSTITUTION = 16;

const limiters = new WeakMap<object, FairLimiter>();

/** Creates the queue of a server, for {@link takesTurns}. */
export const createCallTurns = (): FairLimiter =>
  createFairLimiter({ concurrency: Number.POSITIVE_INFINITY, perKey: CALLS_PER_INSTITUTION });

/** Sets the queue in which a call waits; the server has it, the handler does not. */
export function takesTurns(call: object, turns: FairLimiter): void {
  limiters.set(call, turns);
}

/**
 * Handles a call when it is the turn of its institution; at once if its request names none.
 *
 * @throws the reason of the signal if it aborts before
 */
export function inTurn<T>(call: { readonly request: unknown }, signal: AbortSignal, handle: () => Promise<T>): Promise<T> {
  const institutionId = institutionOf(call.request);
  const turns = limiters.get(call);
  return institutionId === undefined || turns === undefined ? handle() : turns(institutionId, handle, { signal });
}
