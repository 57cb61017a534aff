import { describe, expect, it } from '@jest/globals';
import { admitted, buried, held, published, purged, remove } from './agenda.js';
import { describe as describeTask } from './describe.js';
import { fileKeys } from './file-keys.js';
import { claim } from './lease.js';
import { answersRepeat, freeFingerprint } from './start.js';
import { HOUR, LEASE, NOW, runningTask, SECOND, taskWith } from './test-support.js';
import type { Task } from './task.js';

const DAY = 24 * HOUR;

describe('the agenda', () => {
  it('publishes a job again if no worker claims it', () => {
    expect(published(taskWith(), NOW).task.agenda).toEqual({ step: 'publish', dueAt: NOW + 45 * SECOND });
  });

  it('records since when a task has been admitted', () => {
    const [later, last] = [NOW + 60 * SECOND, NOW + 90 * SECOND];
    expect(published(taskWith(), later).task.admittedAt).toBe(NOW);
    const waiting = held(taskWith(), later).task;
    expect(waiting.admittedAt).toBeNull();
    const changes = [admitted(waiting, later), published(waiting, later), claim(waiting, { ...LEASE, now: later })];
    expect(changes.map((change) => change?.task.admittedAt)).toEqual([later, later, later]);
    expect(published(admitted(waiting, later).task, last).task.admittedAt).toBe(later);
  });

  it('removes files after the dead letter', () => {
    expect(buried(taskWith({ status: 'error' }), NOW).task.agenda).toEqual({ step: 'purge', dueAt: NOW });
  });

  it('removes a task thirty days after its end', () => {
    const task = taskWith({ status: 'finished', endedAt: NOW - DAY });
    expect(purged(task, NOW).task.agenda).toEqual({ step: 'remove', dueAt: NOW + 29 * DAY });
  });

  it('removes the files of a deleted task again before it removes the task', () => {
    expect(purged(taskWith({ deletedAt: NOW }), NOW).task.agenda).toEqual({ step: 'remove', dueAt: NOW + HOUR });
  });
});

describe('remove', () => {
  it('frees the fingerprint, ends the lease and removes the files', () => {
    const change = remove(runningTask(), NOW);
    expect(change?.task).toMatchObject({ fingerprint: undefined, lease: null, deletedAt: NOW, agenda: { step: 'purge', dueAt: NOW } });
    expect(change?.facts).toEqual([{ type: 'tasks.task.deleted' }]);
  });

  it('keeps no names of people and no client input', () => {
    const named = taskWith({
      spec: { exporter: 'generic', parameters: { columns: 'last-name|value:as>Zander' }, fileName: 'generic-2026-03.csv' },
      label: 'Zander',
      skipped: [{ id: '1', name: 'Zander', reason: 'archived' }],
      status: 'error',
      failure: { cause: 'invalid', reason: 'Zander' },
    });
    expect(JSON.stringify(remove(named, NOW)?.task)).not.toContain('Zander');
  });

  it('has an effect only once', () => {
    expect(remove(taskWith({ deletedAt: NOW }), NOW)).toBeUndefined();
  });
});

describe('a repeated request', () => {
  it.each([
    [0, true],
    [12 * HOUR - 1, true],
    [12 * HOUR, false],
  ])('after %d ms is answered with the task: %s', (age, isAnswered) => {
    expect(answersRepeat(taskWith(), NOW + age)).toBe(isAnswered);
    expect(freeFingerprint(taskWith(), NOW + age) === undefined).toBe(isAnswered);
  });
});

describe('the description', () => {
  it.each<[string | null, Task]>([
    [null, taskWith()],
    [null, runningTask()],
    ['1.234 von etwa 56.789 Zeilen', runningTask({ rowsDone: 1_234, rowsEstimated: 56_789 })],
    ['0 von etwa 1 Zeile', runningTask({ rowsEstimated: 1 })],
    ['12.000 Zeilen', taskWith({ status: 'finished', rowsDone: 12_000 })],
  ])('is %j', (text, task) => {
    expect(describeTask(task)).toBe(text);
  });
});

describe('the files', () => {
  it('have a key for each attempt', () => {
    const task = runningTask({ attempt: 2 });
    const folder = `exports/${task.owner.institutionId}/${task.id}`;
    expect(fileKeys(task)).toEqual([`${folder}/1.csv`, `${folder}/2.csv`]);
    expect(fileKeys(taskWith())).toEqual([]);
  });
});
