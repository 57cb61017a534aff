import { finish, hasFinished, type Outcome } from '../domain/lease.js';
import { changeTask } from './change-task.js';
import type { Ports } from './ports.js';

export interface FinishReport extends Outcome {
  readonly taskId: string;
  readonly attempt: number;
}

/** Ends a task with the file of an attempt, also when that is said again; false when the attempt does not hold the lease. */
export async function finishJob(ports: Ports, { taskId, ...report }: FinishReport): Promise<boolean> {
  const { tasks, clock } = ports;
  const { task, changed } = await changeTask(
    ports,
    () => tasks.findJob(taskId),
    (found) => finish(found, report, clock.now()),
  );
  return changed || (task !== undefined && hasFinished(task, report));
}
