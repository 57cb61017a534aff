import { buried, postponed, published } from '../domain/agenda.js';
import { fileKeys } from '../domain/file-keys.js';
import { expire } from '../domain/lease.js';
import type { Task } from '../domain/task.js';
import { admitNext, hold, isAdmitted } from './admit.js';
import { purgeFiles } from './delete-task.js';
import type { Ports } from './ports.js';

const POSTPONE_MS = 2_000;
/** How long a task is kept whose events are not published yet. They wait for NATS, often for longer than a few seconds. */
const UNPUBLISHED_MS = 60_000;

/**
 * Performs the due step of a task. If several processes do this at the same time, the step is performed several times, but only one of them
 * writes the next step.
 */
export async function doNextStep(ports: Ports, task: Task): Promise<void> {
  try {
    await takeStep(ports, task);
  } catch (caught) {
    // Postponed, so that other due tasks do not wait behind it.
    await ports.tasks.save(task, postponed(task, ports.clock.now() + POSTPONE_MS));
    throw caught;
  }
}

async function takeStep(ports: Ports, task: Task): Promise<void> {
  const { tasks, jobs, files, clock } = ports;
  switch (task.agenda.step) {
    case 'publish':
      if (!(await isAdmitted(ports, task))) return hold(ports, task);
      await jobs.publish(task);
      await tasks.save(task, published(task, clock.now()));
      return;
    case 'expire':
      await countLostLease(ports, task);
      return;
    case 'bury':
      await jobs.bury(task);
      await tasks.save(task, buried(task, clock.now()));
      return;
    case 'purge':
      await purgeFiles(ports, task);
      return;
    case 'remove':
      // Removes what a stalled worker stored after the files were removed. Afterwards its key is unknown.
      await files.remove(fileKeys(task));
      if (!(await tasks.drop(task))) await tasks.save(task, postponed(task, clock.now() + UNPUBLISHED_MS));
  }
}

/**
 * Counts a lost lease. This is done only when workers have been able to report for the duration of a lease, because otherwise its worker may still be
 * running.
 */
async function countLostLease(ports: Ports, task: Task): Promise<void> {
  const { tasks, clock, leaseMs, logger } = ports;
  const notBefore = ports.reachableSince() + leaseMs;
  if (clock.now() < notBefore) {
    await tasks.save(task, postponed(task, notBefore));
    return;
  }
  const change = expire(task, clock.now(), Math.random());
  if (change === undefined || !(await tasks.save(task, change))) return;
  const { attempt, lostLeases } = change.task;
  // If the job is what killed its worker, nothing else names it.
  logger.warn({ task_id: task.id, attempt, lost_leases: lostLeases }, 'the worker of a job went silent');
  await admitNext(ports, task, change.task);
  ports.changed(change.task, change.facts);
}
