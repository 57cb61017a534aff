import { fileKey } from '../domain/file-keys.js';
import { TARGET_MS } from '../domain/periods.js';
import { finishedAt, type Task } from '../domain/task.js';
import type { Ports } from './ports.js';

/** Where the file can be downloaded until twelve hours after the task finished; null before and after. */
export function targetOf({ files, clock }: Ports, task: Task): string | null {
  const finished = finishedAt(task);
  const secondsLeft = finished === null ? 0 : Math.floor((finished + TARGET_MS - clock.now()) / 1000);
  return secondsLeft <= 0 ? null : files.addressOf(fileKey(task, task.attempt), secondsLeft, task.spec.fileName);
}
