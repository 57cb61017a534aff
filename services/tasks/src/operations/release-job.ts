import { release, type Release } from '../domain/lease.js';
import { changeTask } from './change-task.js';
import type { Ports } from './ports.js';

export interface ReleaseReport extends Release {
  readonly taskId: string;
  readonly attempt: number;
}

/** Takes a job back from a worker that did not fail; it is published again. */
export async function releaseJob(ports: Ports, { taskId, ...report }: ReleaseReport): Promise<void> {
  const { tasks, clock } = ports;
  await changeTask(
    ports,
    () => tasks.findJob(taskId),
    (task) => release(task, report, clock.now()),
  );
}
