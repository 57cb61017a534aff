const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses after the first, second, … failed attempt, about a day in total. There is no pause after the last attempt. */
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

/** A pause is extended randomly by up to this fraction, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;
/** The longest pause that a target may request by `Retry-After`. */
const MAX_ASKED_MS = 6 * HOUR_MS;
/** A webhook whose requests all fail is paused; the longer it has failed, the longer the pause. */
const SHORTEST_REST_MS = 5_000;
export const LONGEST_REST_MS = 10 * MINUTE_MS;
const REST_PART = 0.1;

/**
 * Returns how long to wait after a failed attempt, in milliseconds; undefined after the last one.
 *
 * @param attempts the number of failed attempts, including this one
 * @param random 0 to 1
 * @param askedMs the pause that the target requested
 */
export function pauseAfter(attempts: number, random: number, askedMs = 0): number | undefined {
  const pause = PAUSES_MS[attempts - 1];
  return pause === undefined ? undefined : Math.max(pause * (1 + JITTER * random), Math.min(askedMs, MAX_ASKED_MS));
}

/**
 * Returns how long a webhook is paused after leases whose process ended, in milliseconds. An answer of its target may be what ended the
 * processes. Because of the pauses, webhooks that were only served at the same time are served apart from it, and keep no lost leases.
 *
 * @param lost the number of such leases in a row
 * @param random 0 to 1
 */
export function restAfterLostLeases(lost: number, random: number): number {
  return lost < 2 ? 0 : Math.min(MINUTE_MS * 2 ** (lost - 2) * (1 + random), LONGEST_REST_MS);
}

/** Returns how long a webhook is paused after every request of a batch failed, in milliseconds. */
export function restAfter(failingSince: number, now: number): number {
  return Math.min(Math.max((now - failingSince) * REST_PART, SHORTEST_REST_MS), LONGEST_REST_MS);
}
