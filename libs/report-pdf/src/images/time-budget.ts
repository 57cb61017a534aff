import { ImageProblem } from './image-problem.js';

/** The time that a report waits for all of its photos together. */
export interface TimeBudget {
  /** Aborts with the problem `late` when the time is used up. */
  readonly signal: AbortSignal;
  /** Waits for a photo. Only this time counts, so the reader of the report may be arbitrarily slow. */
  wait<T>(work: Promise<T>): Promise<T>;
}

/** Creates a budget of `totalMs` milliseconds. */
export function createTimeBudget(totalMs: number): TimeBudget {
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
