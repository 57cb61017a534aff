import { AppError } from '@stechuhr/kernel';
import { admitted, held } from '../domain/agenda.js';
import { isOpen, type Owner, type Task } from '../domain/task.js';
import type { Ports } from './ports.js';

/** Exports of an institution that run or wait; the next one is answered with 429. */
export const OPEN_TASKS_PER_INSTITUTION = 1_000;

/**
 * Whether the job of a task may be in the queue: only the oldest open tasks of an institution are, so that those of another never wait
 * behind many of one. It follows from what is stored, so any number of processes agree on it.
 */
export async function isAdmitted({ tasks, jobsPerInstitution }: Ports, { id, owner }: Task): Promise<boolean> {
  return (await tasks.oldestOpenIdsOf(owner.institutionId, jobsPerInstitution)).includes(id);
}

/** Lets a task wait for its turn. */
export async function hold(ports: Ports, task: Task): Promise<void> {
  const { tasks, clock } = ports;
  const waiting = held(task, clock.now()).task;
  if (!(await tasks.save(task, { task: waiting, facts: [] }))) return;
  // Another one may have ended before this was stored, and found nobody to admit.
  if (await isAdmitted(ports, task)) await tasks.save({ ...waiting, version: task.version + 1 }, admitted(waiting, clock.now()));
}

/** When a task has ended, that of the institution whose turn it is becomes due. What goes wrong here is made up for by the sweep. */
export async function admitNext(ports: Ports, before: Task, after: Task): Promise<void> {
  if (!isOpen(before) || isOpen(after)) return;
  const { tasks, clock, jobsPerInstitution } = ports;
  const admit = async () => {
    const first = await tasks.oldestOpenOf(after.owner.institutionId, jobsPerInstitution);
    const waiting = first.filter(({ agenda }) => agenda.held);
    await Promise.all(waiting.map((task) => tasks.save(task, admitted(task, clock.now()))));
  };
  await admit().catch(() => undefined);
}

/** Why an institution that has too many may start no other one. */
export async function tooMany({ tasks }: Ports, { institutionId }: Owner): Promise<AppError | undefined> {
  if ((await tasks.countOpenOf(institutionId, OPEN_TASKS_PER_INSTITUTION)) < OPEN_TASKS_PER_INSTITUTION) return undefined;
  const most = String(OPEN_TASKS_PER_INSTITUTION);
  return new AppError(
    'rate_limited',
    `At most ${most} background exports of an institution may run or wait; try again when some have ended.`,
  );
}
