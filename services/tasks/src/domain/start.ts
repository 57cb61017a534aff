import { DEDUP_MS } from './periods.js';
import { actionOf, type Change, type ExportSpec, type Owner, type Task, type Visibility } from './task.js';

export interface NewTask {
  readonly id: string;
  readonly owner: Owner;
  readonly visibility: Visibility;
  readonly fingerprint: string;
  readonly spec: ExportSpec;
  readonly label: string;
  readonly skippedAtStart: number;
}

/** Creates a task whose job is due for publication at once. */
export function createTask(input: NewTask, now: number): Change {
  const task: Task = {
    ...input,
    createdAt: now,
    admittedAt: now,
    traceparent: undefined,
    status: 'created',
    startedAt: null,
    endedAt: null,
    deletedAt: null,
    attempt: 0,
    lease: null,
    failures: 0,
    lostLeases: 0,
    waits: 0,
    interruptions: 0,
    rowsDone: 0,
    rowsEstimated: 0,
    skipped: [],
    forgotten: [],
    failure: null,
    agenda: { step: 'publish', dueAt: now },
    version: 0,
  };
  return { task, facts: [{ type: 'tasks.task.created', action: actionOf(input.spec), account_id: input.owner.accountId }] };
}

/** Returns whether an identical request is answered with this task. This includes tasks in error, until they are deleted. */
export function answersRepeat({ createdAt }: Task, now: number): boolean {
  return now - createdAt < DEDUP_MS;
}

/** Frees the fingerprint for a new task, if the old one does not answer identical requests any more; undefined otherwise. */
export function freeFingerprint(task: Task, now: number): Change | undefined {
  if (task.fingerprint === undefined || answersRepeat(task, now)) return undefined;
  return { task: { ...task, fingerprint: undefined }, facts: [] };
}
