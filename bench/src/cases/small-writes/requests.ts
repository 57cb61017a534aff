import { formatLocalDate, epochDay } from '@stechuhr/worktime';
import type { Asked } from '../gateway/http-load.js';
import { PAGE, type SmallWritesValues } from './values.js';

/** Amounts that a rule has one after the other. */
const AMOUNTS = 90;
const FIRST_DAY = epochDay(2026, 1, 1);

/** Where each operation is asked: the gateway's paths, or those of the floor. */
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

/** The requests of a client that changes a rule after the other, adds a suppression after the other, or reads the same page again and again. */
export function requestsOf(values: SmallWritesValues, paths: Paths): () => Asked {
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

/** A manual rule of an employee. */
export function ruleBody(employee_id: string | undefined, amount: number): string {
  const period = { available_from: '2025-01-01', expires_at: '2025-12-31' };
  return JSON.stringify({ employee_id, label: 'bench', missing_type: 'vacation', amount: `${amount}.00`, priority: 1, ...period });
}
