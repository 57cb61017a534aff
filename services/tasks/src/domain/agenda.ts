import { HELD_MS, MARKER_MS, REPUBLISH_MS, TASK_MS } from './periods.js';
import type { Agenda, Change, Task } from './task.js';

/** Records that the job was published. It is published again if no worker claims it. */
export function published(task: Task, now: number): Change {
  return next(withAdmissionTime(task, now), { step: 'publish', dueAt: now + REPUBLISH_MS });
}

/** Holds a task back while older tasks of its institution are open. */
export function held(task: Task, now: number): Change {
  return next({ ...task, admittedAt: null }, { step: 'publish', dueAt: now + HELD_MS, held: true });
}

/** Makes a held task due, because it is, or may be, among the oldest of its institution. */
export function admitted(task: Task, now: number): Change {
  return next(withAdmissionTime(task, now), { step: 'publish', dueAt: now });
}

/** Sets since when the job of a task may be in the queue, if it is not set yet. */
export function withAdmissionTime(task: Task, now: number): Task {
  return { ...task, admittedAt: task.admittedAt ?? now };
}

/** Records that the dead letter was published. The files of its attempts are removed next. */
export function buried(task: Task, now: number): Change {
  return next(task, { step: 'purge', dueAt: now });
}

/** Records that the files were removed. The task itself is removed later. */
export function purged(task: Task, now: number): Change {
  const dueAt = task.deletedAt === null ? (task.endedAt ?? now) + TASK_MS : task.deletedAt + MARKER_MS;
  return next(task, { step: 'remove', dueAt });
}

/** Postpones a step that failed. */
export function postponed(task: Task, until: number): Change {
  return next(task, { ...task.agenda, dueAt: until });
}

/**
 * Deletes a task. Its fingerprint is free at once, its worker is notified with its next report, and its files are removed. For an hour,
 * only ids and times remain, without client input and names of people.
 */
export function remove(task: Task, now: number): Change | undefined {
  if (task.deletedAt !== null) return undefined;
  const deleted: Task = {
    ...task,
    fingerprint: undefined,
    spec: { ...task.spec, parameters: {} },
    label: '',
    skipped: [],
    failure: null,
    lease: null,
    deletedAt: now,
    agenda: { step: 'purge', dueAt: now },
  };
  return { task: deleted, facts: [{ type: 'tasks.task.deleted' }] };
}

/** Ends a finished task in error because its file is missing, so that a repeated request starts a new task. */
export function loseFile(task: Task, now: number): Change | undefined {
  if (task.status !== 'finished') return undefined;
  const failure = { cause: 'failures', reason: 'The file is gone.' } as const;
  const lost: Task = { ...task, status: 'error', fingerprint: undefined, failure, agenda: { step: 'purge', dueAt: now } };
  return { task: lost, facts: [{ type: 'tasks.task.failed', cause: failure.cause }] };
}

function next(task: Task, agenda: Agenda): Change {
  return { task: { ...task, agenda }, facts: [] };
}
