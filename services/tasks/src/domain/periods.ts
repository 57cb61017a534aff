const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** For this long after the first request, identical requests share one task (spec, Limits). */
export const DEDUP_MS = 12 * HOUR_MS;

/** How long a download address is valid after the task finished (spec, Limits). */
export const TARGET_MS = 12 * HOUR_MS;

/** How long after its task finished a file is deleted. */
export const FILE_MS = DAY_MS;

/** How long after its end a task is deleted. */
export const TASK_MS = 30 * DAY_MS;

/** How long a deleted task is kept as a marker, to remove files that a stalled worker may still store. */
export const MARKER_MS = HOUR_MS;

/**
 * After this time, an unclaimed job is published again in case the queue has lost it. A queue that still contains it drops the duplicate.
 */
export const REPUBLISH_MS = 45 * SECOND_MS;

/** For this long, a step that is due at once is left to the process that wrote it. */
export const OWN_STEP_MS = 10 * SECOND_MS;

/** After this time, a held job is checked again in case it was not notified. */
export const HELD_MS = MINUTE_MS;

/** Pauses after the first, second and third failure. */
export const FAILURE_PAUSES_MS = [SECOND_MS, 10 * SECOND_MS, MINUTE_MS];

/**
 * Pauses after the first, second, … crash during a job: of its worker, whose lease is lost then, or of a service, which breaks the connection to
 * the job. Each is extended at random to up to twice its length: if one of several jobs is what crashes the process, the others should not run again
 * together with it. All pauses together take hours, so that a process that crashes for another reason does not end jobs.
 */
export const CRASH_PAUSES_MS = [1, 10, 60, 300, 600, 1_200, 1_800, 3_600, 3_600].map((seconds) => seconds * SECOND_MS);

/** The first pause before a job is retried because a dependency was unavailable. It doubles up to `LONGEST_WAIT_MS`. */
export const FIRST_WAIT_MS = SECOND_MS;
export const LONGEST_WAIT_MS = 30 * SECOND_MS;
