import { purged } from '../domain/agenda.js';
import { fileKeys } from '../domain/file-keys.js';
import type { Task } from '../domain/task.js';
import type { Ports } from './ports.js';

/** Removes the files of all attempts; what comes next is the end of the task itself. */
export async function purgeFiles({ files, tasks, clock }: Ports, task: Task): Promise<void> {
  await files.remove(fileKeys(task));
  await tasks.save(task, purged(task, clock.now()));
}
