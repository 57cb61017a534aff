import { answersRepeat } from '../domain/start.js';
import type { Owner, Task } from '../domain/task.js';
import type { Ports } from './ports.js';

/** The task that answers a repeated request; undefined when the request would start one. */
export async function findExport({ tasks, clock }: Ports, owner: Owner, fingerprint: string): Promise<Task | undefined> {
  const task = await tasks.findByFingerprint(owner, fingerprint);
  return task !== undefined && answersRepeat(task, clock.now()) ? task : undefined;
}
