import { abandon, claim, fail, finish, hasFinished, release, renew } from '../domain/lease.js';
import type { Failure, Outcome, Progress, Release } from '../domain/lease.js';
import type { Change, Task } from '../domain/task.js';
import { changeTask, type Changed } from './change-task.js';
import type { Ports } from './ports.js';

/** A report of a worker about its attempt. */
type Report<T> = T & JobOfTask & { readonly attempt: number };

/** The task of a job. Workers of version 0.1 do not send the institution. */
interface JobOfTask {
  readonly taskId: string;
  readonly institutionId?: string | undefined;
}

interface ReceivedJob extends JobOfTask {
  /** The id of its message; undefined from workers of version 0.2. */
  readonly messageId?: string | undefined;
}

/**
 * Assigns the job of a task to a worker; undefined if there is nothing to do or another worker holds the lease. An expired lease is valid until it is
 * counted as lost.
 */
export async function claimJob(ports: Ports, { messageId, ...job }: ReceivedJob): Promise<Task | undefined> {
  const { clock, leaseMs } = ports;
  const { task, changed } = await changeJob(ports, job, (found) => claim(found, { now: clock.now(), leaseMs }, messageId));
  return changed ? task : undefined;
}

/** Extends the lease of an attempt. Returns false if it is lost, so that the worker stops. */
export async function reportProgress(ports: Ports, { taskId, institutionId, ...report }: Report<Progress>): Promise<boolean> {
  const { clock, leaseMs } = ports;
  return (await changeJob(ports, { taskId, institutionId }, (task) => renew(task, report, { now: clock.now(), leaseMs }))).changed;
}

/** Finishes a task with the file of an attempt, also if the report is repeated. Returns false if the attempt does not hold the lease. */
export async function finishJob(ports: Ports, { taskId, institutionId, ...report }: Report<Outcome>): Promise<boolean> {
  const { task, changed } = await changeJob(ports, { taskId, institutionId }, (found) => finish(found, report, ports.clock.now()));
  return changed || (task !== undefined && hasFinished(task, report));
}

interface FailedJob extends Failure {
  /** Whether the account that started the task has been deleted. */
  readonly ownerDeleted?: boolean | undefined;
}

/**
 * Ends an attempt with a failure. An attempt that has lost its lease changes nothing. A task of a deleted account is deleted: it was
 * started after the deletion had listed the tasks.
 */
export async function failJob(ports: Ports, { taskId, institutionId, ownerDeleted, ...report }: Report<FailedJob>): Promise<void> {
  const end = ownerDeleted === true ? abandon : fail;
  await changeJob(ports, { taskId, institutionId }, (task) => end(task, report, ports.clock.now()));
}

/** Takes a job back from a worker without a failure. It is published again. */
export async function releaseJob(ports: Ports, { taskId, institutionId, ...report }: Report<Release>): Promise<void> {
  await changeJob(ports, { taskId, institutionId }, (task) => release(task, report, ports.clock.now(), Math.random()));
}

function changeJob(ports: Ports, { taskId, institutionId }: JobOfTask, decide: (task: Task) => Change | undefined): Promise<Changed> {
  return changeTask(ports, () => ports.tasks.findJob(taskId, institutionId), decide);
}
