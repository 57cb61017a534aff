import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Lets the process do other things, where it is time for that. Undefined where it is not: to be awaited after each small part of a long work.
 */
export type Pause = () => Promise<void> | undefined;

/** For so long a process may do nothing but set and paint reports. */
const WORK_MS = 15;

/** Shared by all works of a process: of those that pause, one at a time goes on, so that many together hold it up no longer than one. */
export function createPause(): Pause {
  let until = 0;
  let last = Promise.resolve();
  return () => {
    if (performance.now() < until) return undefined;
    last = last.then(async () => {
      await nextTurn();
      until = performance.now() + WORK_MS;
    });
    return last;
  };
}
