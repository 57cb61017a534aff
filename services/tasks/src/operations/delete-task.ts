import { purged, remove } from '../domain/agenda.js';
import { fileKeys } from '../domain/file-keys.js';
import type { Owner, Task } from '../domain/task.js';
import { changeTask } from './change-task.js';
import type { Ports } from './ports.js';
import { noSuchTask } from './read-tasks.js';

/**
 * Deletes one of the owner's tasks, also one in error, which could not be started again otherwise. Its file is gone before that is
 * answered, unless the store is unavailable: then as soon as it can be reached again. @throws AppError `not_found`
 */
export async function deleteTask(ports: Ports, owner: Owner, id: string): Promise<void> {
  const { task, changed } = await changeTask(
    ports,
    () => ports.tasks.find(owner, id),
    (found) => remove(found, ports.clock.now()),
  );
  if (task === undefined || !changed) throw noSuchTask();
  await purgeFiles(ports, task).catch(() => undefined);
}

/** Removes the files of all attempts; what comes next is the end of the task itself. */
export async function purgeFiles({ files, tasks, clock }: Ports, task: Task): Promise<void> {
  await files.remove(fileKeys(task));
  await tasks.save(task, purged(task, clock.now()));
}
