import { AppError } from '@stechuhr/kernel';
import type { Owner } from '../domain/task.js';
import { deleteTask } from './delete-task.js';
import type { Ports } from './ports.js';

/** Deletes the tasks of a deleted account with their files. Tasks that were started after the deletion belong to an account that came back. */
export async function removeTasksOfAccount(ports: Ports, owner: Owner, deletedAt: Date): Promise<void> {
  for (const { id } of await ports.tasks.ofOwner(owner, deletedAt.getTime())) {
    await deleteTask(ports, owner, id).catch((caught: unknown) => {
      // Somebody else has deleted it.
      if (AppError.from(caught).code !== 'not_found') throw caught;
    });
  }
}
