import { actionOf, BUNDLE, isOpen, type Task } from './task.js';

const numbers = new Intl.NumberFormat('de-DE');

/** Returns the progress of a task in German; null if there is none yet. */
export function describe(task: Task): string | null {
  if (task.status === 'finished') return counted(task, task.rowsDone);
  if (!isOpen(task) || task.rowsEstimated === 0) return null;
  // The number of reports is exact, that of rows is estimated.
  const about = actionOf(task.spec) === BUNDLE ? 'von' : 'von etwa';
  return `${numbers.format(task.rowsDone)} ${about} ${counted(task, task.rowsEstimated)}`;
}

function counted({ spec }: Task, count: number): string {
  const [one, many] = actionOf(spec) === BUNDLE ? ['Bericht', 'Berichte'] : ['Zeile', 'Zeilen'];
  return `${numbers.format(count)} ${count === 1 ? one : many}`;
}
