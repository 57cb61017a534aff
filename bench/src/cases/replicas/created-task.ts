import { newId } from '@stechuhr/kernel';

/** What a task exports, and for whom; each of another institution by default. */
export interface TaskOf {
  readonly institutionId: string;
  readonly accountId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A task as services/tasks stores one of an administrator that was created and has not been claimed. */
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
