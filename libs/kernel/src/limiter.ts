import { waitInQueue } from './wait-in-queue.js';

/** Runs a task as soon as there is a free slot, and returns its result. If the signal aborts while the task is waiting, it leaves the queue. */
export type Limiter = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Runs at most `atATime` tasks concurrently; others wait in the order of their calls. Implemented here because `p-limit` and `async-sema` cannot
 * remove a waiting task, and `p-queue` adds priorities, time limits and events to the path of every message.
 * @returns a function that rejects with the signal's reason if that aborts before the task starts; running tasks are not interrupted
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
      // The slot is passed on directly, so that no later caller can take it.
      const [next] = waiting;
      if (next === undefined) free += 1;
      else next();
    }
  };
}
