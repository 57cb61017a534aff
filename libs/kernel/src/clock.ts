/** Provides the current time; injected so that tests can set it. */
export interface Clock {
  /** Milliseconds since the epoch (UTC). */
  now(): number;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };

/**
 * Returns the seconds between two clock times, given in milliseconds since the epoch; 0 if the later one is before the earlier one. That
 * happens if the times come from different machines or a clock was set back; histograms drop negative durations. To measure durations
 * within one process, use `performance.now()` instead.
 */
export function secondsBetween(earlier: number, later: number): number {
  return Math.max(0, later - earlier) / 1_000;
}
