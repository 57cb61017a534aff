import { query } from '../support/http.js';
import type { ClientTools } from './clients/client-tools.js';

/** Clients who only read, until they are stopped. */
export interface Readers {
  stop(): Promise<void>;
}

/** Starts so many requests a second, whatever the answers take. @param also what they read besides a page or a file of every service */
export function startReaders({ slot, ask }: ClientTools, perSecond: number, also: readonly string[] = []): Readers {
  const paths = [...pathsOf(slot.worker), ...also];
  const underWay = new Set<Promise<unknown>>();
  let turn = 0;
  const timer = setInterval(() => {
    const read = ask('reads', paths[turn++ % paths.length] ?? '').finally(() => underWay.delete(read));
    underWay.add(read);
  }, 1_000 / perSecond);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}

/** Every service answers some of it; what reads a whole month is asked for seldom, as in practice. */
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
