import { actionOf, BUNDLE, isOpen, type Task } from './task.js';

const numbers = new Intl.NumberFormat('de-DE');

/** The progress of a task, for people; null while there is none. */
export function describe(task: Task): string | null {
  if (task.status === 'finished') return counted(task, task.rowsDone);
  if (!isOpen(task) || task.rowsEstimated === 0) return null;
  // How many reports there are is known.
  const about = actionOf(task.spec) === BUNDLE ? 'von' : 'von etwa';
  return `${numbers.format(task.rowsDone)} ${about} ${counted(task, task.rowsEstimated)}`;
}

function counted({ spec }: Task, count: number): string {
  const [one, many] = actionOf(spec) === BUNDLE ? ['Bericht', 'Berichte'] : ['Zeile', 'Zeilen'];
  return `${numbers.format(count)} ${count === 1 ? one : many}`;
}
