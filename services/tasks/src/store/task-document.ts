import { MARKER_MS } from '../domain/periods.js';
import type { Task } from '../domain/task.js';
import type { TaskDocument } from './task-model.js';

/** The fields that never change during the life of a task. */
type FixedFields = Pick<
  TaskDocument,
  | 'institution_id'
  | 'account_id'
  | 'visibility'
  | 'exporter'
  | 'parameters'
  | 'file_name'
  | 'label'
  | 'skipped_at_start'
  | 'created_at'
  | 'traceparent'
>;

/** Fields that change, except `fingerprint` and `marker_until`, which may be absent. */
type ChangingFields = Omit<TaskDocument, keyof FixedFields | '_id' | 'fingerprint' | 'marker_until' | 'version' | 'outbox'>;

export function fixedFields({ owner, visibility, spec, label, skippedAtStart, createdAt, traceparent }: Task): FixedFields {
  return {
    institution_id: owner.institutionId,
    account_id: owner.accountId,
    visibility,
    exporter: spec.exporter,
    parameters: JSON.stringify(spec.parameters),
    file_name: spec.fileName,
    label,
    skipped_at_start: skippedAtStart,
    created_at: new Date(createdAt),
    traceparent: traceparent ?? null,
  };
}

export function changingFields(task: Task): ChangingFields {
  return {
    status: task.status,
    started_at: toDate(task.startedAt),
    ended_at: toDate(task.endedAt),
    deleted_at: toDate(task.deletedAt),
    attempt: task.attempt,
    lease_until: toDate(task.lease?.until ?? null),
    lease_lost: task.lease?.lost ?? false,
    failures: task.failures,
    lost_leases: task.lostLeases,
    waits: task.waits,
    interruptions: task.interruptions,
    rows_done: task.rowsDone,
    rows_estimated: task.rowsEstimated,
    skipped: task.skipped,
    // Only a running attempt can still report these employees.
    forgotten: task.lease === null ? [] : task.forgotten,
    failure: task.failure,
    step: task.agenda.step,
    due_at: new Date(task.agenda.dueAt),
    held: task.agenda.held ?? false,
    turn_at: toDate(task.admittedAt),
  };
}

/**
 * Returns the fields that a change replaces, and the due date, which may be stored later than the task says. Other fields are not written, because
 * a task that was read for its step lacks some of them. The version guarantees that they are the same as when the task was read.
 */
export function changedFields(before: Task, after: Task): Partial<ChangingFields> {
  const old: Readonly<Record<string, unknown>> = { ...changingFields(before), due_at: undefined };
  return Object.fromEntries(Object.entries(changingFields(after)).filter(([name, value]) => !isSame(value, old[name])));
}

function isSame(value: unknown, old: unknown): boolean {
  return value instanceof Date && old instanceof Date ? value.getTime() === old.getTime() : value === old;
}

/** Returns the fields that may be absent, and those that a deletion empties: the ones to set and the ones to unset. */
export function optionalFields({ fingerprint, spec, label, deletedAt }: Task): {
  readonly set: Partial<Pick<TaskDocument, 'fingerprint' | 'marker_until' | 'parameters' | 'label'>>;
  readonly unset: Readonly<Record<string, ''>>;
} {
  return {
    set: {
      ...(fingerprint !== undefined && { fingerprint }),
      ...(deletedAt !== null && {
        marker_until: new Date(deletedAt + MARKER_MS),
        parameters: JSON.stringify(spec.parameters),
        label,
      }),
    },
    unset: fingerprint === undefined ? { fingerprint: '' } : {},
  };
}

export function toTask(document: Omit<TaskDocument, 'outbox'>): Task {
  const parameters: Record<string, string> = JSON.parse(document.parameters);
  return {
    id: document._id,
    owner: { institutionId: document.institution_id, accountId: document.account_id },
    visibility: document.visibility,
    fingerprint: document.fingerprint,
    spec: { exporter: document.exporter, parameters, fileName: document.file_name },
    label: document.label,
    skippedAtStart: document.skipped_at_start,
    createdAt: document.created_at.getTime(),
    admittedAt: toTime(document.turn_at === undefined && document.held !== true ? document.created_at : (document.turn_at ?? null)),
    traceparent: document.traceparent ?? undefined,
    status: document.status,
    startedAt: toTime(document.started_at),
    endedAt: toTime(document.ended_at),
    deletedAt: toTime(document.deleted_at),
    attempt: document.attempt,
    lease: document.lease_until === null ? null : { until: document.lease_until.getTime(), lost: document.lease_lost },
    failures: document.failures,
    lostLeases: document.lost_leases,
    waits: document.waits,
    interruptions: document.interruptions ?? 0,
    rowsDone: document.rows_done,
    rowsEstimated: document.rows_estimated,
    skipped: document.skipped,
    forgotten: document.forgotten ?? [],
    failure: document.failure,
    agenda: { step: document.step, dueAt: document.due_at.getTime(), ...(document.held === true && { held: true }) },
    version: document.version,
  };
}

/** Fields of a task that no step needs. */
const NOT_OF_STEPS = {
  visibility: { role: 'admin', departmentIds: [], projectIds: [] },
  parameters: '{}',
  label: '',
  skipped: [],
} as const;

/** Returns a task that was read without the fields that no step needs. They are empty. */
export function toTaskOfStep(document: Omit<TaskDocument, 'outbox' | keyof typeof NOT_OF_STEPS>): Task {
  return toTask({ ...document, ...NOT_OF_STEPS });
}

function toDate(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}

function toTime(date: Date | null): number | null {
  return date === null ? null : date.getTime();
}
