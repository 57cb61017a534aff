import { setTimeout as delay } from 'node:timers/promises';
import { loseFile } from '../domain/agenda.js';
import { fileKey } from '../domain/file-keys.js';
import { TARGET_MS } from '../domain/periods.js';
import { finishedAt, type Owner, type Task } from '../domain/task.js';
import { changeTask } from './change-task.js';
import type { Ports } from './ports.js';

/** A store that takes longer is taken at its word: the task says that there is a file. */
const CHECK_MS = 1_000;

/** The task, unless it offers a file for download that the store has lost: then it has ended in error. */
export async function unlessFileLost(ports: Ports, owner: Owner, task: Task): Promise<Task | undefined> {
  const finished = finishedAt(task);
  const isOffered = finished !== null && ports.clock.now() < finished + TARGET_MS;
  if (!isOffered || (await hasFile(ports, task))) return task;
  await endWithoutFile(ports, owner, task);
  return undefined;
}

/** Ends a task in error whose file is gone: the next identical request makes a new one. */
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
