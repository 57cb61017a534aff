import { institutionOf } from '@stechuhr/contracts';
import { createLimiter, type Limiter } from '@stechuhr/kernel';

/**
 * Unary calls of an institution that a server handles at a time; others of it wait. A hundred calls at a time are not answered sooner than a few, but
 * they would make each step of every other institution's calls wait behind a hundred steps of theirs.
 */
export const CALLS_PER_INSTITUTION = 16;

/** Handles a call of an institution when it is its turn. */
export type CallTurns = <T>(institutionId: string, handle: () => Promise<T>, signal: AbortSignal) => Promise<T>;

const turnsOf = new WeakMap<object, CallTurns>();

/** Creates the queues of a server, for {@link takesTurns}. An institution has one while it has calls. */
export function createCallTurns(): CallTurns {
  const queues = new Map<string, { readonly limited: Limiter; calls: number }>();
  return async (institutionId, handle, signal) => {
    const queue = queues.get(institutionId) ?? { limited: createLimiter(CALLS_PER_INSTITUTION), calls: 0 };
    queues.set(institutionId, queue);
    queue.calls += 1;
    try {
      return await queue.limited(handle, signal);
    } finally {
      queue.calls -= 1;
      if (queue.calls === 0) queues.delete(institutionId);
    }
  };
}

/** Sets the queues in which a call waits; the server has them, the handler does not. */
export function takesTurns(call: object, turns: CallTurns): void {
  turnsOf.set(call, turns);
}

/**
 * Handles a call when it is the turn of its institution; at once if its request names none.
 *
 * @throws the reason of the signal if it aborts before
 */
export function inTurn<T>(call: { readonly request: unknown }, signal: AbortSignal, handle: () => Promise<T>): Promise<T> {
  const institutionId = institutionOf(call.request);
  const turns = turnsOf.get(call);
  return institutionId === undefined || turns === undefined ? handle() : turns(institutionId, handle, signal);
}
