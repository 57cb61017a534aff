const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses after the first, second, … failure; after the last attempt there is none. About a day in all. */
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

/** A pause is longer by up to this part, so that what failed together does not come again together. */
const JITTER = 0.1;
/** What a target may ask for by `Retry-After`. */
const MAX_ASKED_MS = 6 * HOUR_MS;
/** A webhook whose requests all fail rests between its turns, the longer it has failed. */
const SHORTEST_REST_MS = 5_000;
const LONGEST_REST_MS = 10 * MINUTE_MS;
const REST_PART = 0.1;

/**
 * How long to wait after an attempt that failed, in milliseconds; undefined when it was the last one.
 *
 * @param attempts how many failed, this one included
 * @param random 0 to 1
 * @param askedMs what the target asked for
 */
export function pauseAfter(attempts: number, random: number, askedMs = 0): number | undefined {
  const pause = PAUSES_MS[attempts - 1];
  return pause === undefined ? undefined : Math.max(pause * (1 + JITTER * random), Math.min(askedMs, MAX_ASKED_MS));
}

/** How long a webhook rests after a turn in which every request failed. */
export function restAfter(failingSince: number, now: number): number {
  return Math.min(Math.max((now - failingSince) * REST_PART, SHORTEST_REST_MS), LONGEST_REST_MS);
}
