import { describe, expect, it } from '@jest/globals';
import { abandon, claim, expire, fail, finish, hasFinished, jobMessageId, release, renew } from './lease.js';
import { HOUR, LEASE, NOW, runningTask, SECOND, taskWith } from './test-support.js';
import type { Task } from './task.js';

const LATER = NOW + 60 * SECOND;
const lost = { until: NOW + LEASE.leaseMs, lost: true };

describe('claim', () => {
  it('starts a task with its first attempt', () => {
    const change = claim(taskWith(), LEASE);
    expect(change?.task).toMatchObject({
      status: 'in_progress',
      startedAt: NOW,
      attempt: 1,
      lease: { until: NOW + 30 * SECOND, lost: false },
      agenda: { step: 'expire', dueAt: NOW + 30 * SECOND },
    });
    expect(change?.facts).toEqual([{ type: 'tasks.task.started' }]);
  });

  it('numbers the attempts and keeps the time of the first start', () => {
    const change = claim(runningTask({ attempt: 3, lease: null, rowsDone: 7, rowsEstimated: 9 }), { ...LEASE, now: LATER });
    expect(change?.task).toMatchObject({ attempt: 4, startedAt: NOW, rowsDone: 0, rowsEstimated: 0 });
    expect(change?.facts).toEqual([]);
  });

  it.each<[string, Task]>([
    ['another worker holds', runningTask()],
    ['has finished', taskWith({ status: 'finished' })],
    ['is in error', taskWith({ status: 'error' })],
    ['was deleted', taskWith({ deletedAt: NOW })],
  ])('does not claim a task that %s', (_, task) => {
    expect(claim(task, LEASE)).toBeUndefined();
  });

  it('starts a new attempt after a lost lease', () => {
    expect(claim(runningTask({ lease: lost }), { ...LEASE, now: LATER })?.task.attempt).toBe(2);
  });

  it.each<[string, Partial<Task>]>([
    ['whose lease was lost', { lostLeases: 1, lease: lost }],
    ['that was released', { attempt: 1, lease: null }],
  ])('does not start a job %s with the message of the attempt before', (_, state) => {
    const before = claim(taskWith(), LEASE)?.task ?? taskWith();
    const task = { ...before, ...state };
    expect(claim(task, { ...LEASE, now: LATER }, jobMessageId(taskWith()))).toBeUndefined();
    expect(claim(task, { ...LEASE, now: LATER }, jobMessageId(task))?.task.attempt).toBe(2);
  });
});

describe('the message of a lost lease', () => {
  const task = runningTask({ lostLeases: 1, lease: lost });
  const report = { attempt: 1 };

  it.each<[string, Task | undefined]>([
    ['released', release(task, { ...report, unavailable: false, interrupted: false }, LATER, 0)?.task],
    ['waits for a dependency', release(task, { ...report, unavailable: true, interrupted: false }, LATER, 0)?.task],
    ['was interrupted', release(task, { ...report, unavailable: true, interrupted: true }, LATER, 0)?.task],
    ['failed', fail(task, { ...report, reason: 'It broke.', final: false }, LATER)?.task],
  ])('is not that of a job that its late worker has given back: it %s', (_, returned = task) => {
    expect(jobMessageId(returned)).not.toBe(jobMessageId(task));
    expect(claim(returned, LEASE, jobMessageId(task))).toBeUndefined();
    expect(claim(returned, LEASE, jobMessageId(returned))?.task.attempt).toBe(2);
  });
});

describe('renew', () => {
  const report = { attempt: 1, rowsDone: 4, rowsEstimated: 100 };

  it('extends the lease and records the progress', () => {
    const change = renew(runningTask(), report, { ...LEASE, now: LATER });
    expect(change?.task).toMatchObject({ lease: { until: LATER + 30 * SECOND, lost: false }, rowsDone: 4, rowsEstimated: 100 });
    expect(change?.facts).toEqual([]);
  });

  it('publishes every completed tenth once', () => {
    const told = [0, 9, 10, 19, 35, 100].map((rowsDone, at, all) => {
      const task = runningTask({ rowsDone: all[at - 1] ?? 0, rowsEstimated: 100 });
      return renew(task, { ...report, rowsDone }, LEASE)?.facts.length;
    });
    expect(told).toEqual([0, 0, 1, 0, 1, 1]);
  });

  it('restores a lost lease while no other worker has claimed the job', () => {
    expect(renew(runningTask({ lease: lost }), report, { ...LEASE, now: LATER })?.task.lease).toEqual({
      until: LATER + 30 * SECOND,
      lost: false,
    });
  });

  it.each<[string, Task]>([
    ['an older attempt', runningTask({ attempt: 2 })],
    ['a task that was given back', runningTask({ lease: null })],
    ['a deleted task', runningTask({ deletedAt: NOW })],
    ['a finished task', runningTask({ status: 'finished', lease: null })],
  ])('refuses %s', (_, task) => {
    expect(renew(task, report, LEASE)).toBeUndefined();
  });
});

describe('finish', () => {
  const skipped = [{ id: 'e', name: 'Anna Abel', reason: 'archived' }];
  const report = { attempt: 1, rows: 12, sizeBytes: 345, skipped };

  it('ends the task and schedules the removal of its file a day later', () => {
    const change = finish(runningTask(), report, LATER);
    expect(change?.task).toMatchObject({
      status: 'finished',
      endedAt: LATER,
      lease: null,
      rowsDone: 12,
      skipped,
      agenda: { step: 'purge', dueAt: LATER + 24 * HOUR },
    });
    expect(change?.facts).toEqual([{ type: 'tasks.task.finished', rows: 12, size_bytes: 345, skipped: 1 }]);
  });

  it('leaves out employees who were deleted during the attempt', () => {
    const running = runningTask({ forgotten: ['e'] });
    expect(finish(running, report, LATER)).toMatchObject({ task: { skipped: [] }, facts: [{ skipped: 0 }] });
    // The next attempt reads the employees again.
    const again = claim({ ...running, lease: null }, LEASE)?.task ?? taskWith();
    expect(finish(again, { ...report, attempt: 2 }, LATER)?.task.skipped).toEqual(skipped);
  });

  it('is accepted only from the latest attempt', () => {
    expect(finish(runningTask({ attempt: 2 }), report, LATER)).toBeUndefined();
  });

  it('may be repeated by the same attempt', () => {
    const finished = finish(runningTask(), report, LATER)?.task ?? taskWith();
    expect(finish(finished, report, LATER)).toBeUndefined();
    expect([1, 2].map((attempt) => hasFinished(finished, { attempt }))).toEqual([true, false]);
  });
});

describe('fail', () => {
  const report = { attempt: 1, reason: 'It broke.', final: false };

  it('retries the job after a second, ten seconds and a minute', () => {
    const pauses = [0, 1, 2].map((failures) => {
      const task = fail(runningTask({ failures }), report, NOW)?.task;
      expect(task).toMatchObject({ status: 'in_progress', failures: failures + 1, lease: null });
      return task?.agenda;
    });
    expect(pauses).toEqual([1, 10, 60].map((seconds) => ({ step: 'publish', dueAt: NOW + seconds * SECOND })));
  });

  it('ends the task in error at the fourth failure', () => {
    const change = fail(runningTask({ failures: 3 }), report, NOW);
    expect(change?.task).toMatchObject({
      status: 'error',
      endedAt: NOW,
      failure: { cause: 'failures', reason: 'It broke.' },
      agenda: { step: 'bury', dueAt: NOW },
    });
    expect(change?.facts).toEqual([{ type: 'tasks.task.failed', cause: 'failures' }]);
  });

  it('ends the task at once if it can never succeed', () => {
    expect(fail(runningTask(), { ...report, final: true }, NOW)?.task).toMatchObject({ status: 'error', failure: { cause: 'invalid' } });
  });

  it('ignores an attempt that has lost its lease', () => {
    expect(fail(runningTask({ attempt: 2 }), report, NOW)).toBeUndefined();
  });
});

describe('abandon', () => {
  it('deletes the task only for the attempt that holds the lease', () => {
    const task = runningTask({ attempt: 2 });
    expect(abandon(task, { attempt: 2 }, LATER)).toMatchObject({
      task: { deletedAt: LATER, fingerprint: undefined, label: '', lease: null, agenda: { step: 'purge', dueAt: LATER } },
      facts: [{ type: 'tasks.task.deleted' }],
    });
    expect(abandon(task, { attempt: 1 }, LATER)).toBeUndefined();
    expect(abandon(taskWith({ status: 'finished', attempt: 2 }), { attempt: 2 }, LATER)).toBeUndefined();
  });
});

describe('release', () => {
  it('returns the job to the queue at once', () => {
    expect(release(runningTask(), { attempt: 1, unavailable: false, interrupted: false }, NOW, 0)?.task).toMatchObject({
      status: 'in_progress',
      failures: 0,
      lostLeases: 0,
      lease: null,
      agenda: { step: 'publish', dueAt: NOW },
    });
  });

  it('waits longer each time for an unavailable dependency, up to half a minute, without a limit of retries', () => {
    const pauses = [0, 1, 2, 3, 4, 5, 100].map((waits) => {
      const task = release(runningTask({ waits }), { attempt: 1, unavailable: true, interrupted: false }, NOW, 0)?.task;
      expect(task).toMatchObject({ status: 'in_progress', failures: 0, waits: waits + 1, interruptions: 0 });
      return ((task?.agenda.dueAt ?? 0) - NOW) / SECOND;
    });
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30]);
  });

  const interruption = { attempt: 1, unavailable: true, interrupted: true };

  it('waits ever longer if a service breaks the connection to the job', () => {
    const pauses = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((interruptions) => {
      const task = release(runningTask({ interruptions, waits: 20 }), interruption, NOW, 0)?.task;
      expect(task).toMatchObject({ status: 'in_progress', failures: 0, waits: 20, interruptions: interruptions + 1, lease: null });
      return ((task?.agenda.dueAt ?? 0) - NOW) / SECOND;
    });
    expect(pauses).toEqual([1, 10, 60, 300, 600, 1_200, 1_800, 3_600, 3_600]);
    expect(release(runningTask({ interruptions: 3 }), interruption, NOW, 0.5)?.task.agenda.dueAt).toBe(NOW + 450 * SECOND);
  });

  it('ends the task in error at the tenth interruption', () => {
    const change = release(runningTask({ interruptions: 9 }), interruption, NOW, 0);
    expect(change?.task).toMatchObject({
      status: 'error',
      failure: { cause: 'failures' },
      lease: null,
      agenda: { step: 'bury', dueAt: NOW },
    });
    expect(change?.facts).toEqual([{ type: 'tasks.task.failed', cause: 'failures' }]);
  });
});

describe('expire', () => {
  const over = NOW + LEASE.leaseMs;

  it('counts an expired lease once and publishes the job again', () => {
    expect(expire(runningTask(), over - 1, 0)).toBeUndefined();
    const change = expire(runningTask(), over, 0);
    expect(change?.task).toMatchObject({ lostLeases: 1, waits: 0, lease: lost, agenda: { step: 'publish', dueAt: over + SECOND } });
    expect(change && expire(change.task, over, 0)).toBeUndefined();
  });

  it('waits ever longer, because the job may be what kills its workers', () => {
    const dueAt = (lostLeases: number, random: number) => expire(runningTask({ lostLeases }), over, random)?.task.agenda.dueAt ?? 0;
    const pauses = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((lostLeases) => (dueAt(lostLeases, 0) - over) / SECOND);
    expect(pauses).toEqual([1, 10, 60, 300, 600, 1_200, 1_800, 3_600, 3_600]);
    expect(dueAt(3, 0.5)).toBe(over + 450 * SECOND);
  });

  it('ends the task in error at the tenth lost lease', () => {
    const change = expire(runningTask({ lostLeases: 9 }), over, 0);
    expect(change?.task).toMatchObject({ status: 'error', failure: { cause: 'lost-leases' }, agenda: { step: 'bury', dueAt: over } });
    expect(change?.facts).toEqual([{ type: 'tasks.task.failed', cause: 'lost-leases' }]);
  });
});
