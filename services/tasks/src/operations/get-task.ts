import { AppError } from '@stechuhr/kernel';
import type { Owner, Task } from '../domain/task.js';
import type { Ports } from './ports.js';

/** One of the owner's tasks; those in error are hidden. @throws AppError `not_found` */
export async function getTask({ tasks }: Ports, owner: Owner, id: string): Promise<Task> {
  const task = await tasks.find(owner, id);
  if (task === undefined || task.status === 'error') throw noSuchTask();
  return task;
}

export function noSuchTask(): AppError {
  return new AppError('not_found', 'Not found.');
}
