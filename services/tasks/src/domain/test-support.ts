import { createTask } from './start.js';
import type { Task } from './task.js';

export const NOW = Date.UTC(2026, 2, 2, 9);
export const SECOND = 1_000;
export const HOUR = 3_600_000;
export const LEASE = { now: NOW, leaseMs: 30 * SECOND };

/** Returns a newly started task with some fields replaced. */
export function taskWith(fields: Partial<Task> = {}): Task {
  const input = {
    id: '6f1f5d3e-0000-4000-8000-000000000001',
    owner: { institutionId: '6f1f5d3e-0000-4000-8000-000000000002', accountId: '6f1f5d3e-0000-4000-8000-000000000003' },
    visibility: { role: 'admin', departmentIds: [], projectIds: null },
    fingerprint: 'f',
    spec: { exporter: 'generic', parameters: { daterange: '2026-03-01|2026-03-31' }, fileName: 'generic-2026-03-01-2026-03-31.csv' },
    label: 'Export',
    skippedAtStart: 0,
  } as const;
  return { ...createTask(input, NOW).task, ...fields };
}

/** Returns a task whose first attempt has been running since `NOW`. */
export function runningTask(fields: Partial<Task> = {}): Task {
  return taskWith({
    status: 'in_progress',
    startedAt: NOW,
    attempt: 1,
    lease: { until: NOW + LEASE.leaseMs, lost: false },
    agenda: { step: 'expire', dueAt: NOW + LEASE.leaseMs },
    ...fields,
  });
}
