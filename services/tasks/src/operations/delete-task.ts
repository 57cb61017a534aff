import { setTimeout as delay } from 'node:timers/promises';
import { purged, remove } from '../domain/agenda.js';
import { fileKeys } from '../domain/file-keys.js';
import type { Owner, Task } from '../domain/task.js';
import { changeTask } from './change-task.js';
import type { Ports } from './ports.js';
import { noSuchTask } from './read-tasks.js';

/** For this long, the caller waits for the object store. */
const PURGE_MS = 2_000;

/**
 * Deletes one of the owner's tasks. Tasks in error can be deleted as well, since the export could not be started again otherwise. The file is removed
 * before the call returns, unless the store is unavailable or hangs; in that case it is removed later.
 * @throws AppError `not_found`
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

/** Removes the files of all attempts; the next step removes the task itself. */
export async function purgeFiles({ files, tasks, clock }: Ports, task: Task): Promise<void> {
  await files.remove(fileKeys(task));
  await tasks.save(task, purged(task, clock.now()));
}
