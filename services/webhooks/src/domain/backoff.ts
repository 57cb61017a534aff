const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses after the first, second, … failure; no further attempt after the last one. About a day in total. */
export const PAUSES_MS: readonly number[] = [
  5_000,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  6 * HOUR_MS,
  10 * HOUR_MS,
];

/** A random part is added to each pause, so that requests that failed together are not repeated together. */
const JITTER = 0.1;
/** The longest pause that a target may request with `Retry-After`. */
const MAX_ASKED_MS = 6 * HOUR_MS;
/** If all requests of a webhook fail, it pauses between its turns, and longer the longer it has been failing. */
const SHORTEST_REST_MS = 5_000;
const LONGEST_REST_MS = 10 * MINUTE_MS;
const REST_PART = 0.1;

/**
 * How long to wait after a failed attempt, in milliseconds; undefined after the last one.
 * @param attempts number of failures, including this one
 * @param random 0 to 1
 * @param askedMs the pause that the target requested
 */
export function pauseAfter(attempts: number, random: number, askedMs = 0): number | undefined {
  const pause = PAUSES_MS[attempts - 1];
  return pause === undefined ? undefined : Math.max(pause * (1 + JITTER * random), Math.min(askedMs, MAX_ASKED_MS));
}

/** How long a webhook pauses after a turn in which every request failed. */
export function restAfter(failingSince: number, now: number): number {
  return Math.min(Math.max((now - failingSince) * REST_PART, SHORTEST_REST_MS), LONGEST_REST_MS);
}
