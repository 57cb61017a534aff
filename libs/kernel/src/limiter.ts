import { waitInQueue } from './wait-in-queue.js';

/** Runs a task when a slot is free, and returns its result. Aborting the signal removes a waiting task from the queue. */
export type Limiter = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Creates a limiter that runs at most `concurrency` tasks at the same time; the others wait in order.
 *
 * Implemented here because waiting tasks cannot be cancelled in `p-limit` and `async-sema`, and `p-queue` would add priorities, time limits
 * and events to the processing of every message.
 *
 * @returns a function that rejects with the signal's reason when the signal aborts before the task begins; running tasks are not aborted
 */
export function createLimiter(concurrency: number): Limiter {
  let free = concurrency;
  const waiting = new Set<() => void>();
  return async (task, signal) => {
    signal?.throwIfAborted();
    if (free > 0) free -= 1;
    else await waitInQueue(waiting, signal);
    try {
      return await task();
    } finally {
      // The slot is passed to the next waiting task directly, so that no later task can take it.
      const [next] = waiting;
      if (next === undefined) free += 1;
      else next();
    }
  };
}
