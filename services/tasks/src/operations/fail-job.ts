import { fail, type Failure } from '../domain/lease.js';
import { changeTask } from './change-task.js';
import type { Ports } from './ports.js';

export interface FailureReport extends Failure {
  readonly taskId: string;
  readonly attempt: number;
}

/** Ends an attempt with a failure; one that has lost its lease changes nothing. */
export async function failJob(ports: Ports, { taskId, ...report }: FailureReport): Promise<void> {
  const { tasks, clock } = ports;
  await changeTask(
    ports,
    () => tasks.findJob(taskId),
    (task) => fail(task, report, clock.now()),
  );
}
