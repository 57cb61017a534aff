import { claim, expire } from '../domain/lease.js';
import type { Task } from '../domain/task.js';
import { changeTask } from './change-task.js';
import type { Ports } from './ports.js';

/** Gives the job of a task to a worker; undefined when there is nothing to do, or another worker does it. */
export async function claimJob(ports: Ports, taskId: string): Promise<Task | undefined> {
  const { tasks, clock, leaseMs } = ports;
  const read = () => tasks.findJob(taskId);
  // A message may be delivered again before the sweep has noticed that the lease of its last worker expired.
  await changeTask(ports, read, (task) => expire(task, clock.now()));
  const { task, changed } = await changeTask(ports, read, (found) => claim(found, { now: clock.now(), leaseMs }));
  return changed ? task : undefined;
}
