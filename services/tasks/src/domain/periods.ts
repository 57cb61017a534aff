const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** For this long, identical requests are answered with the same task (spec, Limits). */
export const DEDUP_MS = 12 * HOUR_MS;

/** For this long after the task finished, the download URL is valid (spec, Limits). */
export const TARGET_MS = 12 * HOUR_MS;

/** The file is deleted this long after the task finished. */
export const FILE_MS = DAY_MS;

/** The task is deleted this long after it ended. */
export const TASK_MS = 30 * DAY_MS;

/** For this long, a deleted task is remembered, so that files which a stalled worker may still store are removed. */
export const MARKER_MS = HOUR_MS;

/** A job that was not claimed by then is published again, in case the queue has lost it. If the queue still has it, it drops the duplicate. */
export const REPUBLISH_MS = 45 * SECOND_MS;

/** For this long, a step that is due at once is left to the process that wrote it. */
export const OWN_STEP_MS = 10 * SECOND_MS;

/** A held job is checked again after this, in case no other task's end triggered it. */
export const HELD_MS = MINUTE_MS;

/** Pauses after the first, second and third failure. */
export const FAILURE_PAUSES_MS = [SECOND_MS, 10 * SECOND_MS, MINUTE_MS];

export const MAX_LOST_LEASES = 10;

/** First pause before a job is retried because a dependency was unavailable; it doubles up to the longest. */
export const FIRST_WAIT_MS = SECOND_MS;
export const LONGEST_WAIT_MS = 30 * SECOND_MS;
