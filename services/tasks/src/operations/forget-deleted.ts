import { AppError } from '@stechuhr/kernel';
import type { Owner } from '../domain/task.js';
import { deleteTask } from './delete-task.js';
import type { Ports } from './ports.js';

/** The number of tasks that are listed at a time: an account may have tens of thousands, with thousands of names each. */
const IDS_A_READ = 500;

/**
 * Deletes the tasks of a deleted account with their files, regardless of their time of creation: the clocks of two services may differ, so
 * their times cannot be compared. If an account with the same id was created again, it has to start its exports again.
 */
export async function removeTasksOfAccount(ports: Ports, owner: Owner): Promise<void> {
  for (;;) {
    const ids = await ports.tasks.idsOf(owner, IDS_A_READ);
    if (ids.length === 0) return;
    for (const id of ids) {
      await deleteTask(ports, owner, id).catch((caught: unknown) => {
        // A concurrent call has deleted it.
        if (AppError.from(caught).code !== 'not_found') throw caught;
      });
    }
  }
}
