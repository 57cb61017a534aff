import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Yields to other tasks of the process if it is time to do so; otherwise returns undefined. Await it after each small step of long work.
 */
export type Pause = () => Promise<void> | undefined;

/** How long the process may work on reports without yielding, in milliseconds. */
const WORK_MS = 15;

/**
 * Creates a pause that all reports of a process share. Only one of the paused tasks continues at a time, so that many together do not block
 * the process longer than one.
 */
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
