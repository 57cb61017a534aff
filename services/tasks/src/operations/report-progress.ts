import { renew, type Progress } from '../domain/lease.js';
import { changeTask } from './change-task.js';
import type { Ports } from './ports.js';

export interface ProgressReport extends Progress {
  readonly taskId: string;
  readonly attempt: number;
}

/** Extends the lease of an attempt; false when it is lost: the worker stops. */
export async function reportProgress(ports: Ports, { taskId, ...report }: ProgressReport): Promise<boolean> {
  const { tasks, clock, leaseMs } = ports;
  const { changed } = await changeTask(
    ports,
    () => tasks.findJob(taskId),
    (task) => renew(task, report, { now: clock.now(), leaseMs }),
  );
  return changed;
}
