import { AppError } from '@stechuhr/kernel';
import type { Owner } from '../domain/task.js';
import { deleteTask } from './delete-task.js';
import type { Ports } from './ports.js';

/**
 * Deletes the tasks of a deleted account with their files, whenever they were started: times of two services cannot be compared, their clocks
 * may differ. An account that came back under the same id starts its exports again.
 */
export async function removeTasksOfAccount(ports: Ports, owner: Owner): Promise<void> {
  for (const { id } of await ports.tasks.ofOwner(owner)) {
    await deleteTask(ports, owner, id).catch((caught: unknown) => {
      // Somebody else has deleted it.
      if (AppError.from(caught).code !== 'not_found') throw caught;
    });
  }
}
