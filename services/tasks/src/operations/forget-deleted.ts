import { AppError } from '@stechuhr/kernel';
import type { Owner } from '../domain/task.js';
import { deleteTask } from './delete-task.js';
import type { Ports } from './ports.js';

/**
 * Deletes all tasks of a deleted account with their files, regardless of when they were started: the clocks of two services may differ, so their
 * times cannot be compared. An account that was created again under the same id has to start its exports again.
 */
export async function removeTasksOfAccount(ports: Ports, owner: Owner): Promise<void> {
  for (const { id } of await ports.tasks.ofOwner(owner)) {
    await deleteTask(ports, owner, id).catch((caught: unknown) => {
      // Somebody else has already deleted it.
      if (AppError.from(caught).code !== 'not_found') throw caught;
    });
  }
}
