import { AppError } from '@stechuhr/kernel';
import type { Change, Task } from '../domain/task.js';
import { admitNext } from './admit.js';
import type { Ports } from './ports.js';

const MAX_TRIES = 20;

export interface Changed {
  /** The current task; undefined if there is none. */
  readonly task: Task | undefined;
  /** Whether this call changed it. */
  readonly changed: boolean;
}

/**
 * Reads a task, decides on a change and writes it, and starts again if the compare-and-set was lost. `decide` returns undefined to leave
 * the task unchanged.
 */
export async function changeTask(
  ports: Ports,
  read: () => Promise<Task | undefined>,
  decide: (task: Task) => Change | undefined,
): Promise<Changed> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const task = await read();
    const change = task && decide(task);
    if (task === undefined || change === undefined) return { task, changed: false };
    if (!(await ports.tasks.save(task, change))) continue;
    await admitNext(ports, task, change.task);
    ports.changed(change.task, change.facts);
    return { task: { ...change.task, version: task.version + 1 }, changed: true };
  }
  throw new AppError('unavailable', 'The task is changing too fast.');
}
