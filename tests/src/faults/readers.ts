import { query } from '../support/http.js';
import type { ClientTools } from './clients/client-tools.js';

/** Clients that only read, until they are stopped. */
export interface Readers {
  stop(): Promise<void>;
}

/**
 * Starts sending requests at a constant rate, independent of response times.
 * @param also additional paths to those that involve every service
 */
export function startReaders({ slot, ask }: ClientTools, perSecond: number, also: readonly string[] = []): Readers {
  const paths = [...pathsOf(slot.worker), ...also];
  const workInProgress = new Set<Promise<unknown>>();
  let turn = 0;
  const timer = setInterval(() => {
    const read = ask('reads', paths[turn++ % paths.length] ?? '').finally(() => workInProgress.delete(read));
    workInProgress.add(read);
  }, 1_000 / perSecond);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(workInProgress);
    },
  };
}

/** Returns paths that involve every service. Expensive ones, which read a whole month, are rare, as in practice. */
function pathsOf(employee: string): readonly string[] {
  const month = { daterange: '2026-02-01|2026-02-28' };
  const often = [
    'employees/employees/?limit=20',
    'projects/projects/?limit=20',
    `timestamps/workdays/?${query({ ...month, limit: '20' })}`,
    'timestamps/absence-rules/?limit=20',
    'asynchronous-tasks/tasks/?limit=5',
    'daily-reports/reports/?limit=5',
    'reviews/suppressions/?limit=20',
    'webhooks/',
  ];
  const seldom = [
    `exports/generic/?${query({ ...month, types: 'workday:hours', employee_ids: employee, response_only: 'true' })}`,
    `reviews/reviews/?${query({ year: '2026', month: '2' })}`,
  ];
  return seldom.flatMap((one) => [...often, ...often, one]);
}
