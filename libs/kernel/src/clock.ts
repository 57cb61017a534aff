/** Where the present comes from; injected so that tests choose it. */
export interface Clock {
  /** Milliseconds since the epoch (UTC). */
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/**
 * Seconds between two instants that clocks have told, in milliseconds since the epoch; 0 where the later one is before the earlier one. Another
 * process may have told it, or the clock was set back meanwhile: a duration below 0 is nonsense to whoever reads it, and a histogram drops it.
 * What one process measures by itself is the difference of two `performance.now()`.
 */
export function secondsBetween(earlier: number, later: number): number {
  return Math.max(0, later - earlier) / 1_000;
}
