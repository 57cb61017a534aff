import { newId } from '@stechuhr/kernel';

/** The export of a task and its owner. */
export interface TaskOf {
  readonly institutionId: string;
  readonly accountId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Returns a task document as services/tasks stores it: created by an administrator and not claimed yet, by default of a new institution.
 */
export function createdTask(due_at: Date, of: TaskOf = { institutionId: newId(), accountId: newId(), parameters: {} }) {
  return {
    ...{ _id: newId(), institution_id: of.institutionId, account_id: of.accountId, fingerprint: newId() },
    visibility: { role: 'admin', departmentIds: [], projectIds: null },
    ...{ exporter: 'generic', parameters: JSON.stringify(of.parameters), file_name: 'export', label: 'generic' },
    ...{ skipped_at_start: 0, created_at: due_at },
    ...{ traceparent: null, status: 'created', started_at: null, ended_at: null, deleted_at: null, attempt: 0 },
    ...{ lease_until: null, lease_lost: false, failures: 0, lost_leases: 0, waits: 0, rows_done: 0, rows_estimated: 0 },
    ...{ skipped: [], failure: null, step: 'publish', due_at, held: false, version: 1, outbox: [] },
  };
}
