import { query } from '../../support/http.js';
import { outcomeOf, type Client } from './client-tools.js';

/** Many columns, so that the file consists of several parts of an upload. */
const WIDE = Array.from({ length: 40 }, (_, n) => `employee-id:as>id${String(n)}`).join('|');
const PERIOD = '2026-02-01|2026-03-31';

export const exportQuery = (employee: string, columns: string): Readonly<Record<string, string>> => ({
  ...{ daterange: PERIOD, types: 'workday:hours', employee_ids: employee },
  columns,
});

/** Runs synchronous exports and compares each file with the first one. */
export const exportsAtOnce: Client = {
  name: 'exports',
  start({ slot, history, ask }) {
    const parameters = { ...exportQuery(slot.worker, 'last-name|date|value'), response_only: 'true' };
    return async () => {
      const answer = await ask('exports', `exports/generic/?${query(parameters)}`);
      if (answer?.status !== 200) return false;
      const rows = answer.text.split('\r\n').length - 2;
      if (rows !== slot.days.length) history.wrong.push(`an export with ${String(rows)} of ${String(slot.days.length)} rows`);
      return true;
    };
  },
};

/** Maximum number of background exports in a scenario; more would only wait. */
const MAX_TASKS = 12;

/** Starts background exports with different parameters. */
export const tasks: Client = {
  name: 'tasks',
  start({ slot, history, ask }) {
    let count = 0;
    return async () => {
      const path = taskPath(slot.worker, `value:as>${slot.word}${String(count >= MAX_TASKS ? MAX_TASKS : ++count)}`);
      const answer = await ask('tasks', path);
      const outcome = outcomeOf(answer);
      const { id } = (answer?.json ?? {}) as { readonly id?: string };
      if (outcome === 'acknowledged') history.write({ kind: 'task', key: path, value: id ?? '', outcome, id });
      return outcome === 'acknowledged';
    };
  },
};

/** Returns the path of a background export. A different column makes it a different export. */
export function taskPath(employee: string, column: string): string {
  return `exports/generic/?${query({ ...exportQuery(employee, `last-name|date|${column}|${WIDE}`), is_async: 'true' })}`;
}
