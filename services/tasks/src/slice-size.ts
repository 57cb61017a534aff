/**
 * The intended duration of a slice. Claiming a slice costs three round trips, and concurrent processes lose some claims, so a slice should
 * take long enough.
 */
const WANTED_MS = 2_000;
/** The longest duration of a slice, out of a lease of 30 s. A slower process returns the rest. */
export const LONGEST_SLICE_MS = 10_000;
const [FEWEST, MOST] = [50, 800];

/** Determines the number of steps that a process claims together. */
export interface SliceSize {
  steps(): number;
  /** Records how long the steps of a slice took. */
  took(steps: number, ms: number): void;
}

/**
 * Creates a slice size of as many steps as take about two seconds, based on the last slice. Small remaining slices are ignored. It grows at
 * most twofold at a time.
 */
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
