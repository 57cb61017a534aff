import { formatLocalDate, epochDay } from '@stechuhr/worktime';
import type { LoadRequest } from '../gateway/http-load.js';
import { PAGE, type SmallWritesValues } from './values.js';

/** Number of different amounts to which a rule is set in turn. */
const AMOUNTS = 90;
const FIRST_DAY = epochDay(2026, 1, 1);

/** The paths of the operations, of the gateway or of the floor. */
interface Paths {
  readonly rules: string;
  readonly suppressions: string;
  readonly entries: string;
}

export const API: Paths = {
  rules: '/api/v2/timestamps/absence-rules/',
  suppressions: '/api/v2/reviews/suppressions/',
  entries: '/api/v2/daily-reports/entries/',
};

export const FLOOR: Paths = { rules: '/rules/', suppressions: '/suppressions/', entries: '/entries/' };

/** Returns the next request of a client that changes rules in turn, adds suppressions, or repeatedly reads the same page. */
export function requestsOf(values: SmallWritesValues, paths: Paths): () => LoadRequest {
  const { operation, ruleIds, employeeIds, date } = values;
  let number = -1;
  switch (operation) {
    case 'patch':
      return () => {
        number += 1;
        const amount = 1 + (Math.floor(number / ruleIds.length) % AMOUNTS);
        const path = `${paths.rules}${ruleIds[number % ruleIds.length] ?? ''}/`;
        return { method: 'PATCH', path, body: ruleBody(employeeIds[number % ruleIds.length], amount) };
      };
    case 'post':
      return () => {
        number += 1;
        const day = formatLocalDate(FIRST_DAY + Math.floor(number / employeeIds.length));
        const rule = {
          code: 'excessive-daily-hours',
          employee_id: employeeIds[number % employeeIds.length],
          valid_from: day,
          valid_to: day,
        };
        return { method: 'POST', path: paths.suppressions, body: JSON.stringify(rule) };
      };
    case 'entries': {
      const page = { path: `${paths.entries}?limit=${PAGE}&daterange=${encodeURIComponent(`${date}|${date}`)}` };
      return () => page;
    }
  }
}

/** Returns the JSON body of a manual rule for an employee. */
export function ruleBody(employee_id: string | undefined, amount: number): string {
  const period = { available_from: '2025-01-01', expires_at: '2025-12-31' };
  return JSON.stringify({ employee_id, label: 'bench', missing_type: 'vacation', amount: `${amount}.00`, priority: 1, ...period });
}
