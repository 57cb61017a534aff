import { withAdmissionTime, remove } from './agenda.js';
import { CRASH_PAUSES_MS, FAILURE_PAUSES_MS, FILE_MS, FIRST_WAIT_MS, LONGEST_WAIT_MS } from './periods.js';
import { isOpen, type Agenda, type Change, type Fact, type FailureCause, type SkippedEmployee, type Task } from './task.js';

export interface LeaseTerms {
  readonly now: number;
  readonly leaseMs: number;
}

/**
 * Returns the id of the message with which the job is published. It stays the same until the job is claimed, its lease is lost, or its worker gives it
 * back: the queue drops a repeated message as long as it remembers the first, even if that was removed because a late worker still had the job.
 */
export function jobMessageId({ id, attempt, lostLeases, lease }: Task): string {
  // A late worker may still have the job; once it has given the job back, this message no longer counts.
  const late = lease === null ? '' : ':late';
  return `job:${id}:${String(attempt)}:${String(lostLeases)}${late}`;
}

/**
 * Starts a new attempt; undefined if there is nothing to do or another worker holds the lease. The message of an earlier attempt, which is delivered
 * again if its worker was killed, starts nothing, because it would end the pause after the crash.
 *
 * @param messageId the message that the worker has received; undefined if it is unknown
 */
export function claim(task: Task, { now, leaseMs }: LeaseTerms, messageId = jobMessageId(task)): Change | undefined {
  if (!isOpen(task) || isHeld(task) || messageId !== jobMessageId(task)) return undefined;
  const claimed: Task = {
    ...withAdmissionTime(task, now),
    status: 'in_progress',
    startedAt: task.startedAt ?? now,
    attempt: task.attempt + 1,
    rowsDone: 0,
    rowsEstimated: 0,
    forgotten: [],
    ...leasedUntil(now + leaseMs),
  };
  return { task: claimed, facts: task.startedAt === null ? [{ type: 'tasks.task.started' }] : [] };
}

/** The part that all reports of a worker have in common. */
interface Report {
  readonly attempt: number;
}

export interface Progress {
  readonly rowsDone: number;
  /** 0 while it is unknown. */
  readonly rowsEstimated: number;
}

/** Extends the lease; undefined if the attempt does not hold it. An event is published for every completed tenth of the rows. */
export function renew(task: Task, report: Report & Progress, { now, leaseMs }: LeaseTerms): Change | undefined {
  if (!holdsLease(task, report)) return undefined;
  const { rowsDone, rowsEstimated } = report;
  const hasPassedTenth = tenths(report) > tenths(task);
  const fact: Fact = { type: 'tasks.task.progressed', rows_done: rowsDone, rows_estimated: rowsEstimated };
  return { task: { ...task, rowsDone, rowsEstimated, ...leasedUntil(now + leaseMs) }, facts: hasPassedTenth ? [fact] : [] };
}

export interface Outcome {
  readonly rows: number;
  readonly sizeBytes: number;
  readonly skipped: readonly SkippedEmployee[];
}

/** Finishes the task with the file of the attempt; undefined if the attempt does not hold the lease. */
export function finish(task: Task, report: Report & Outcome, now: number): Change | undefined {
  if (!holdsLease(task, report)) return undefined;
  const { rows, sizeBytes, skipped } = report;
  const finished: Task = {
    ...task,
    status: 'finished',
    endedAt: now,
    lease: null,
    rowsDone: rows,
    rowsEstimated: rows,
    skipped: skipped.filter(({ id }) => !task.forgotten.includes(id)),
    agenda: { step: 'purge', dueAt: now + FILE_MS },
  };
  return { task: finished, facts: [{ type: 'tasks.task.finished', rows, size_bytes: sizeBytes, skipped: finished.skipped.length }] };
}

/** Returns whether this attempt has already finished the task, so that the report is a repeated one. */
export function hasFinished({ status, attempt, deletedAt }: Task, report: Report): boolean {
  return status === 'finished' && attempt === report.attempt && deletedAt === null;
}

export interface Failure {
  /** The reason, shown to operators. */
  readonly reason: string;
  /** Whether the job can never succeed, so that it is not tried again. */
  readonly final: boolean;
}

/** Ends the attempt with a failure. The job is tried again after a pause, or the task ends in error. */
export function fail(task: Task, report: Report & Failure, now: number): Change | undefined {
  if (!holdsLease(task, report)) return undefined;
  const { reason, final } = report;
  const failed = { ...task, failures: task.failures + 1, lease: null };
  if (final) return inError(failed, 'invalid', reason, now);
  const pause = FAILURE_PAUSES_MS[task.failures];
  if (pause === undefined) return inError(failed, 'failures', reason, now);
  return { task: { ...failed, agenda: { step: 'publish', dueAt: now + pause } }, facts: [] };
}

/** Deletes the task of a deleted account; undefined if the attempt does not hold the lease. */
export function abandon(task: Task, report: Report, now: number): Change | undefined {
  return holdsLease(task, report) ? remove(task, now) : undefined;
}

export interface Release {
  /** Whether a dependency of the job is unavailable. */
  readonly unavailable: boolean;
  /** Whether a service broke the connection while the job called it. */
  readonly interrupted: boolean;
}

/**
 * Returns the job to the queue. If a dependency is unavailable, this happens after a pause that grows each time, and jobs of the institution that
 * have not waited come first; the number of such pauses is not limited. If a service broke the connection, the job may be what kills it: their number
 * is limited, and the job keeps its turn, so that jobs that kill a service do not follow each other without a pause.
 *
 * @param random 0 to 1
 */
export function release(task: Task, report: Report & Release, now: number, random: number): Change | undefined {
  if (!holdsLease(task, report)) return undefined;
  const { unavailable, interrupted } = report;
  if (interrupted) return interrupt(task, now, random);
  const pause = unavailable ? Math.min(FIRST_WAIT_MS * 2 ** task.waits, LONGEST_WAIT_MS) : 0;
  const waits = unavailable ? task.waits + 1 : task.waits;
  return { task: { ...task, waits, lease: null, agenda: { step: 'publish', dueAt: now + pause } }, facts: [] };
}

function interrupt(task: Task, now: number, random: number): Change {
  const interrupted = { ...task, interruptions: task.interruptions + 1, lease: null };
  const agenda = afterCrash(task.interruptions, now, random);
  if (agenda === undefined) return inError(interrupted, 'failures', 'A service broke the connection again and again.', now);
  return { task: { ...interrupted, agenda }, facts: [] };
}

/**
 * Counts an expired lease as lost; undefined if no lease has expired. The job is published again after a pause, during which its worker may still
 * report. The job keeps its turn in its institution, so that jobs that crash workers do not follow each other without a pause.
 *
 * @param random 0 to 1
 */
export function expire(task: Task, now: number, random: number): Change | undefined {
  if (!isOpen(task) || task.lease === null || task.lease.lost || task.lease.until > now) return undefined;
  const lost: Task = { ...task, lostLeases: task.lostLeases + 1, lease: { ...task.lease, lost: true } };
  const agenda = afterCrash(task.lostLeases, now, random);
  if (agenda === undefined) return inError({ ...lost, lease: null }, 'lost-leases', 'Its workers went silent.', now);
  return { task: { ...lost, agenda }, facts: [] };
}

/** Returns when a job is published again after a crash; undefined if there were too many. */
function afterCrash(before: number, now: number, random: number): Agenda | undefined {
  const pause = CRASH_PAUSES_MS[before];
  return pause === undefined ? undefined : { step: 'publish', dueAt: Math.ceil(now + pause * (1 + random)) };
}

/** Whether a worker may be running the job: its lease has not been counted as lost, even if it has expired. */
function isHeld({ lease }: Task): boolean {
  return lease !== null && !lease.lost;
}

function holdsLease(task: Task, { attempt }: Report): boolean {
  return isOpen(task) && task.lease !== null && task.attempt === attempt;
}

function leasedUntil(until: number): Pick<Task, 'lease' | 'agenda'> {
  return { lease: { until, lost: false }, agenda: { step: 'expire', dueAt: until } };
}

function tenths({ rowsDone, rowsEstimated }: Progress): number {
  return rowsEstimated === 0 ? 0 : Math.floor((rowsDone * 10) / rowsEstimated);
}

function inError(task: Task, cause: FailureCause, reason: string, now: number): Change {
  const ended: Task = { ...task, status: 'error', endedAt: now, failure: { cause, reason }, agenda: { step: 'bury', dueAt: now } };
  return { task: ended, facts: [{ type: 'tasks.task.failed', cause }] };
}
