import { waitInQueue } from './wait-in-queue.js';

/** Runs a task as soon as there is room for it, and passes its outcome on. Whoever aborts while waiting leaves the line. */
export type Limiter = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Lets at most `atATime` tasks run at a time; the others wait in the order in which they came.
 *
 * Written here because `p-limit` and `async-sema` cannot give up a place in the line, and `p-queue` brings priorities, time limits and
 * events to the path of every message.
 *
 * @returns a function that rejects with the signal's reason when that aborts before the task begins; a task that runs ends by itself
 */
export function createLimiter(atATime: number): Limiter {
  let free = atATime;
  const waiting = new Set<() => void>();
  return async (task, signal) => {
    signal?.throwIfAborted();
    if (free > 0) free -= 1;
    else await waitInQueue(waiting, signal);
    try {
      return await task();
    } finally {
      // The place is handed on, so that nobody who comes later can take it.
      const [next] = waiting;
      if (next === undefined) free += 1;
      else next();
    }
  };
}
