import { isOpen, type Task } from './task.js';

const numbers = new Intl.NumberFormat('de-DE');

/** The progress of a task, for people; null while there is none. */
export function describe(task: Task): string | null {
  if (task.status === 'finished') return rows(task.rowsDone);
  if (!isOpen(task) || task.rowsEstimated === 0) return null;
  return `${numbers.format(task.rowsDone)} von etwa ${rows(task.rowsEstimated)}`;
}

function rows(count: number): string {
  return `${numbers.format(count)} ${count === 1 ? 'Zeile' : 'Zeilen'}`;
}
