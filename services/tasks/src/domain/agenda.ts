import { HELD_MS, MARKER_MS, REPUBLISH_MS, TASK_MS } from './periods.js';
import type { Agenda, Change, Task } from './task.js';

/** The job was published; unless a worker claims it, it is published again. */
export function published(task: Task, now: number): Change {
  return next(onItsTurn(task, now), { step: 'publish', dueAt: now + REPUBLISH_MS });
}

/** Older tasks of the institution go first, so the job is not in the queue. */
export function held(task: Task, now: number): Change {
  return next({ ...task, turnAt: null }, { step: 'publish', dueAt: now + HELD_MS, held: true });
}

/** The task's turn has come, or may have come. */
export function admitted(task: Task, now: number): Change {
  return next(onItsTurn(task, now), { step: 'publish', dueAt: now });
}

/** Marks that the job of a task may be in the queue from now on. */
export function onItsTurn(task: Task, now: number): Task {
  return { ...task, turnAt: task.turnAt ?? now };
}

/** The dead letter was published; files of attempts are no longer needed. */
export function buried(task: Task, now: number): Change {
  return next(task, { step: 'purge', dueAt: now });
}

/** The files were removed. */
export function purged(task: Task, now: number): Change {
  const dueAt = task.deletedAt === null ? (task.endedAt ?? now) + TASK_MS : task.deletedAt + MARKER_MS;
  return next(task, { step: 'remove', dueAt });
}

/** The step could not be done now and is tried again later. */
export function postponed(task: Task, until: number): Change {
  return next(task, { ...task.agenda, dueAt: until });
}

/**
 * Deletes a task. Its fingerprint becomes free at once, its worker learns of the deletion with its next report, and its files are removed. A marker
 * without any client data or names is kept for an hour.
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

/** A finished task without its file is useless: it ends in error, so that a repeated request starts a new one. */
export function loseFile(task: Task, now: number): Change | undefined {
  if (task.status !== 'finished') return undefined;
  const failure = { cause: 'failures', reason: 'The file is gone.' } as const;
  const lost: Task = { ...task, status: 'error', fingerprint: undefined, failure, agenda: { step: 'purge', dueAt: now } };
  return { task: lost, facts: [{ type: 'tasks.task.failed', cause: failure.cause }] };
}

function next(task: Task, agenda: Agenda): Change {
  return { task: { ...task, agenda }, facts: [] };
}
