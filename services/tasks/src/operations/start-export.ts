import { AppError, newId } from '@stechuhr/kernel';
import { answersRepeat, createTask, freeFingerprint, type NewTask } from '../domain/start.js';
import type { Owner, Task } from '../domain/task.js';
import { tooMany } from './admit.js';
import { changeTask } from './change-task.js';
import { unlessFileLost } from './check-file.js';
import type { Ports } from './ports.js';

export interface StartedExport {
  readonly task: Task;
  readonly started: boolean;
}

const MAX_TRIES = 20;

/** Returns the task that answers an identical request; undefined if the request would start one. */
export async function findExport(ports: Ports, owner: Owner, fingerprint: string): Promise<Task | undefined> {
  const task = await ports.tasks.findByFingerprint(owner, fingerprint);
  return task !== undefined && answersRepeat(task, ports.clock.now()) ? unlessFileLost(ports, owner, task) : undefined;
}

/**
 * Starts an export, unless an identical request has done so in the last twelve hours. It inserts first and reads only if that fails.
 *
 * @throws AppError `rate_limited` if the institution has too many open tasks
 */
export async function startExport(ports: Ports, owner: Owner, input: Omit<NewTask, 'id' | 'owner'>): Promise<StartedExport> {
  const { tasks, clock } = ports;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { task, facts } = createTask({ ...input, id: newId(), owner }, clock.now());
    const refusal = await tooMany(ports, owner);
    const created = { ...task, traceparent: ports.traceparent() };
    if (refusal === undefined && (await tasks.insert(owner, { task: created, facts }))) {
      ports.changed(created, facts);
      return { task: created, started: true };
    }
    const read = () => tasks.findByFingerprint(owner, input.fingerprint);
    const { task: found } = await changeTask(ports, read, (old) => freeFingerprint(old, clock.now()));
    if (found?.fingerprint !== undefined && answersRepeat(found, clock.now())) return { task: found, started: false };
    // Thrown only now, because an identical request may have started the last task that the limit allowed.
    if (refusal !== undefined) throw refusal;
  }
  throw new AppError('unavailable', 'The task could not be started.');
}
