import { setTimeout as delay } from 'node:timers/promises';
import { loseFile } from '../domain/agenda.js';
import { fileKey } from '../domain/file-keys.js';
import { TARGET_MS } from '../domain/periods.js';
import { finishedAt, type Owner, type Task } from '../domain/task.js';
import { changeTask } from './change-task.js';
import type { Ports } from './ports.js';

/** If the store takes longer, the file is assumed to exist, as the task states. */
const CHECK_MS = 1_000;

/** Returns the task. If the store has lost a file that it offers for download, the task is ended in error and undefined is returned. */
export async function unlessFileLost(ports: Ports, owner: Owner, task: Task): Promise<Task | undefined> {
  const finished = finishedAt(task);
  const isOffered = finished !== null && ports.clock.now() < finished + TARGET_MS;
  if (!isOffered || (await hasFile(ports, task))) return task;
  await endWithoutFile(ports, owner, task);
  return undefined;
}

/** Ends a task whose file is missing in error, so that the next identical request starts a new one. */
export async function endWithoutFile(ports: Ports, owner: Owner, task: Task): Promise<void> {
  await changeTask(
    ports,
    () => ports.tasks.find(owner, task.id),
    (found) => loseFile(found, ports.clock.now()),
  );
}

function hasFile({ files }: Ports, task: Task): Promise<boolean> {
  const has = files.has(fileKey(task, task.attempt)).catch(() => true);
  return Promise.race([has, delay(CHECK_MS, true, { ref: false })]);
}
