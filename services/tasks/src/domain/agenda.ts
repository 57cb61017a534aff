import { HELD_MS, MARKER_MS, REPUBLISH_MS, TASK_MS } from './periods.js';
import type { Agenda, Change, Task } from './task.js';

/** The job was published; unless a worker claims it, it is published again. */
export function published(task: Task, now: number): Change {
  return next(onItsTurn(task, now), { step: 'publish', dueAt: now + REPUBLISH_MS });
}

/** Others of the institution come first. */
export function held(task: Task, now: number): Change {
  return next({ ...task, turnAt: null }, { step: 'publish', dueAt: now + HELD_MS, held: true });
}

/** Its turn has come, or may have. */
export function admitted(task: Task, now: number): Change {
  return next(onItsTurn(task, now), { step: 'publish', dueAt: now });
}

/** A task whose job may be in the queue. */
export function onItsTurn(task: Task, now: number): Task {
  return { ...task, turnAt: task.turnAt ?? now };
}

/** The dead letter is out: files of attempts are of no use any more. */
export function buried(task: Task, now: number): Change {
  return next(task, { step: 'purge', dueAt: now });
}

/** The files are gone. */
export function purged(task: Task, now: number): Change {
  const dueAt = task.deletedAt === null ? (task.endedAt ?? now) + TASK_MS : task.deletedAt + MARKER_MS;
  return next(task, { step: 'remove', dueAt });
}

/** The step could not be done now. */
export function postponed(task: Task, until: number): Change {
  return next(task, { ...task.agenda, dueAt: until });
}

/**
 * Deletes a task: its fingerprint is free at once, its worker learns of it with its next report, and its files are removed. What remains of it
 * for an hour has ids and times, and nothing that a client wrote or that names people.
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

/** A finished task without its file is of no use: it ends in error, and a repeated request starts another one. */
export function loseFile(task: Task, now: number): Change | undefined {
  if (task.status !== 'finished') return undefined;
  const failure = { cause: 'failures', reason: 'The file is gone.' } as const;
  const lost: Task = { ...task, status: 'error', fingerprint: undefined, failure, agenda: { step: 'purge', dueAt: now } };
  return { task: lost, facts: [{ type: 'tasks.task.failed', cause: failure.cause }] };
}

function next(task: Task, agenda: Agenda): Change {
  return { task: { ...task, agenda }, facts: [] };
}
