import { AppError } from '@stechuhr/kernel';
import { admitted, held } from '../domain/agenda.js';
import { isOpen, type Owner, type Task } from '../domain/task.js';
import type { Ports } from './ports.js';

/** The maximum number of open exports of an institution; further ones are answered with 429. */
export const OPEN_TASKS_PER_INSTITUTION = 1_000;

/**
 * Returns whether the job of a task may be in the queue. Only the first open tasks of an institution are admitted, so that jobs of other
 * institutions never wait behind many of one. This follows from stored data, so all processes come to the same result.
 */
export async function isAdmitted({ tasks, jobsPerInstitution }: Ports, { id, owner }: Task): Promise<boolean> {
  return (await tasks.firstOpenIdsOf(owner.institutionId, jobsPerInstitution)).includes(id);
}

/** Holds a task back until it is admitted. */
export async function hold(ports: Ports, task: Task): Promise<void> {
  const { tasks, clock } = ports;
  const waiting = held(task, clock.now()).task;
  if (!(await tasks.save(task, { task: waiting, facts: [] }))) return;
  // Another task may have ended before this was stored, and then did not find this one to admit.
  if (await isAdmitted(ports, task)) await tasks.save({ ...waiting, version: task.version + 1 }, admitted(waiting, clock.now()));
}

/**
 * When a task has ended, or waits for an unavailable dependency, admits the next held tasks of its institution. Errors are ignored, because the
 * periodic sweep admits them later.
 */
export async function admitNext(ports: Ports, before: Task, after: Task): Promise<void> {
  if (!isOpen(before) || (isOpen(after) && after.waits === before.waits)) return;
  const { tasks, clock, jobsPerInstitution } = ports;
  const admit = async () => {
    const first = await tasks.firstOpenOf(after.owner.institutionId, jobsPerInstitution);
    const waiting = first.filter(({ agenda }) => agenda.held);
    await Promise.all(waiting.map((task) => tasks.save(task, admitted(task, clock.now()))));
  };
  await admit().catch(() => undefined);
}

/** Returns the error if an institution has too many open tasks to start another one. */
export async function tooMany({ tasks }: Ports, { institutionId }: Owner): Promise<AppError | undefined> {
  if ((await tasks.countOpenOf(institutionId, OPEN_TASKS_PER_INSTITUTION)) < OPEN_TASKS_PER_INSTITUTION) return undefined;
  const most = String(OPEN_TASKS_PER_INSTITUTION);
  return new AppError(
    'rate_limited',
    `At most ${most} background exports of an institution may run or wait; try again when some have ended.`,
  );
}
