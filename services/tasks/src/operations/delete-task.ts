import { setTimeout as delay } from 'node:timers/promises';
import { purged, remove } from '../domain/agenda.js';
import { fileKeys } from '../domain/file-keys.js';
import type { Owner, Task } from '../domain/task.js';
import { changeTask } from './change-task.js';
import type { Ports } from './ports.js';
import { noSuchTask } from './read-tasks.js';

/** How long the caller waits for the file store, in milliseconds. */
const PURGE_MS = 2_000;

/**
 * Deletes a task of the owner. This includes tasks in error, which could not be started again otherwise. The file is removed before the
 * call returns or, if the store is unavailable or hangs, as soon as it can be reached again. @throws AppError `not_found`
 */
export async function deleteTask(ports: Ports, owner: Owner, id: string): Promise<void> {
  const { task, changed } = await changeTask(
    ports,
    () => ports.tasks.find(owner, id),
    (found) => remove(found, ports.clock.now()),
  );
  if (task === undefined || !changed) throw noSuchTask();
  const purging = purgeFiles(ports, task).catch(() => undefined);
  await Promise.race([purging, delay(PURGE_MS, undefined, { ref: false })]);
}

/** Removes the files of all attempts. The next step removes the task itself. */
export async function purgeFiles({ files, tasks, clock }: Ports, task: Task): Promise<void> {
  await files.remove(fileKeys(task));
  await tasks.save(task, purged(task, clock.now()));
}
