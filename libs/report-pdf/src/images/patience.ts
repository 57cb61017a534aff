import { ImageProblem } from './image-problem.js';

/** How long a report waits for all of its photos together. */
export interface Patience {
  /** Aborts, with the problem `late`, those that are not there when it is over. */
  readonly signal: AbortSignal;
  /** Only this counts: a reader of the report may be as slow as it is. */
  wait<T>(work: Promise<T>): Promise<T>;
}

/** Patience for so many milliseconds. */
export function createPatience(totalMs: number): Patience {
  const over = new AbortController();
  let leftMs = totalMs;
  return {
    signal: over.signal,
    async wait(work) {
      const startedAt = performance.now();
      const timer = setTimeout(() => {
        over.abort(new ImageProblem('late'));
      }, leftMs);
      try {
        return await work;
      } finally {
        clearTimeout(timer);
        leftMs = Math.max(0, leftMs - (performance.now() - startedAt));
      }
    },
  };
}
