import { isOpen, type Task } from './task.js';

const numbers = new Intl.NumberFormat('de-DE');

/** How far a task is, for people; null while there is nothing to say. */
export function describe(task: Task): string | null {
  if (task.status === 'finished') return rows(task.rowsDone);
  if (!isOpen(task) || task.rowsEstimated === 0) return null;
  return `${numbers.format(task.rowsDone)} von etwa ${rows(task.rowsEstimated)}`;
}

function rows(count: number): string {
  return `${numbers.format(count)} ${count === 1 ? 'Zeile' : 'Zeilen'}`;
}
