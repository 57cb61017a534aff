/** Where the present comes from; injected so that tests choose it. */
export interface Clock {
  /** Milliseconds since the epoch (UTC). */
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };
