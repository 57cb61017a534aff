const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Identical requests are one task for so long after the first (spec, Limits). */
export const DEDUP_MS = 12 * HOUR_MS;

/** A download address is valid for so long after the task finished (spec, Limits). */
export const TARGET_MS = 12 * HOUR_MS;

/** The file is deleted this long after the task finished. */
export const FILE_MS = DAY_MS;

/** The task is deleted this long after it ended. */
export const TASK_MS = 30 * DAY_MS;

/** A deleted task is remembered for so long, to remove what a stalled worker may still store. */
export const MARKER_MS = HOUR_MS;

/** A job that has not been claimed by then is published again, in case the queue has lost it; a queue that still has it drops the repeat. */
export const REPUBLISH_MS = 45 * SECOND_MS;

/** What is due at once is left for so long to the process that wrote it. */
export const OWN_STEP_MS = 10 * SECOND_MS;

/** A held job is looked at again after this, in case nobody said that its turn has come. */
export const HELD_MS = MINUTE_MS;

/** Pauses after the first, second and third failure. */
export const FAILURE_PAUSES_MS = [SECOND_MS, 10 * SECOND_MS, MINUTE_MS];

export const MAX_LOST_LEASES = 10;

/** Pause before a job is retried because a dependency was unavailable; doubles up to the longest. */
export const FIRST_WAIT_MS = SECOND_MS;
export const LONGEST_WAIT_MS = 30 * SECOND_MS;
