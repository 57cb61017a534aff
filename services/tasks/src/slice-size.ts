/** A claim of a slice costs three round trips, and processes that claim at the same time lose some: so a slice should be worth it. */
const WANTED_MS = 2_000;
/** Of a lease of 30 s: who is slower than that gives the rest back. */
export const LONGEST_SLICE_MS = 10_000;
const [FEWEST, MOST] = [50, 800];

/** How many steps a process claims at a time. */
export interface SliceSize {
  steps(): number;
  /** Tells it how long the steps of a slice took. */
  took(steps: number, ms: number): void;
}

/** As many as take about two seconds, by the last slice that was not a small rest; it grows twofold at most. */
export function createSliceSize(): SliceSize {
  let size = FEWEST;
  return {
    steps: () => size,
    took(steps, ms) {
      if (steps * 2 < size && ms < WANTED_MS) return;
      const fitting = Math.round((steps * WANTED_MS) / Math.max(ms, 1));
      size = Math.max(FEWEST, Math.min(fitting, size * 2, MOST));
    },
  };
}
