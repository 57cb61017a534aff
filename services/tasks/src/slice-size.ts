/** Claiming a slice costs three round trips, and concurrent claims may fail, so a slice should be worth the effort. */
const WANTED_MS = 2_000;
/** Leases last 30 s; a slower process gives up the rest of its slice. */
export const LONGEST_SLICE_MS = 10_000;
const [FEWEST, MOST] = [50, 800];

/** How many steps a process claims at a time. */
export interface SliceSize {
  steps(): number;
  /** Reports how long the steps of a slice took. */
  took(steps: number, ms: number): void;
}

/** Aims at slices of about two seconds, based on the last slice that was large enough to measure. The size at most doubles. */
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
