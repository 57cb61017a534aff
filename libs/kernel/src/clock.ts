/** The source of the current time; injected, so that tests can set it. */
export interface Clock {
  /** Milliseconds since the epoch (UTC). */
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/**
 * Seconds between two clock readings, in milliseconds since the epoch; 0 if the later one is before the earlier one. Readings may come from different
 * processes, or the clock may have been set back, and a histogram drops negative durations. To measure durations within one process, use the
 * difference of two `performance.now()`.
 */
export function secondsBetween(earlier: number, later: number): number {
  return Math.max(0, later - earlier) / 1_000;
}
