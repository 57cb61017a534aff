import { setTimeout as pause } from 'node:timers/promises';
import { query } from '../support/http.js';
import type { Desk } from './clients/desk.js';

const REST_MS = 60;

/** Clients who only read, until they are stopped. */
export interface Readers {
  stop(): Promise<void>;
}

/** Starts so many. @param also what they read besides a page or a file of every service */
export function startReaders({ slot, ask }: Desk, readers: number, also: readonly string[] = []): Readers {
  const paths = [...pathsOf(slot.worker), ...also];
  const stopping = new AbortController();
  const read = async (first: number): Promise<void> => {
    for (let turn = first; !stopping.signal.aborted; turn += 1) {
      await ask('reads', paths[turn % paths.length] ?? '');
      await pause(REST_MS);
    }
  };
  const reading = Array.from({ length: readers }, (_, reader) => read(reader * 3));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(reading);
    },
  };
}

/** Every service answers some of it. */
function pathsOf(employee: string): readonly string[] {
  const month = { daterange: '2026-02-01|2026-02-28' };
  return [
    'employees/employees/?limit=20',
    'projects/projects/?limit=20',
    `timestamps/workdays/?${query({ ...month, limit: '20' })}`,
    'timestamps/absence-rules/?limit=20',
    'asynchronous-tasks/tasks/?limit=5',
    'daily-reports/reports/?limit=5',
    'reviews/suppressions/?limit=20',
    'webhooks/',
    `exports/generic/?${query({ ...month, types: 'workday:hours', employee_ids: employee, response_only: 'true' })}`,
    `reviews/reviews/?${query({ year: '2026', month: '2' })}`,
  ];
}
