import { describe, expect, it } from '@jest/globals';
import { createLimiter } from './limiter.js';

describe('createLimiter', () => {
  it('limits the number of running tasks and runs the others in order', async () => {
    const limited = createLimiter(2);
    const started: number[] = [];
    const tasks = [0, 1, 2, 3].map((index) => {
      const done = Promise.withResolvers<number>();
      const result = limited(() => {
        started.push(index);
        return done.promise;
      });
      return { result, finish: () => done.resolve(index) };
    });
    expect(started).toEqual([0, 1]);
    tasks[1]?.finish();
    await tasks[1]?.result;
    expect(started).toEqual([0, 1, 2]);
    tasks[0]?.finish();
    tasks[2]?.finish();
    await Promise.all([tasks[0]?.result, tasks[2]?.result]);
    expect(started).toEqual([0, 1, 2, 3]);
    tasks[3]?.finish();
    await expect(tasks[3]?.result).resolves.toBe(3);
  });

  it('continues after a failure', async () => {
    const limited = createLimiter(1);
    const first = Promise.withResolvers<never>();
    const failing = limited(() => first.promise);
    const next = limited(async () => 'next');
    first.reject(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('next');
    await expect(limited(async () => 1)).resolves.toBe(1);
  });

  it('removes aborted tasks from the queue', async () => {
    const limited = createLimiter(1);
    const first = Promise.withResolvers<string>();
    const running = limited(() => first.promise);
    const impatient = new AbortController();
    let ran = false;
    const waiting = limited(async () => (ran = true), impatient.signal);
    const next = limited(async () => 'next');
    impatient.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    first.resolve('first');
    await expect(Promise.all([running, next])).resolves.toEqual(['first', 'next']);
    await expect(limited(async () => (ran = true), impatient.signal)).rejects.toThrow('enough');
    await expect(limited(async () => 'free')).resolves.toBe('free');
    expect(ran).toBe(false);
  });

  it('does not end a running task when its signal aborts', async () => {
    const limited = createLimiter(1);
    const leaving = new AbortController();
    const task = Promise.withResolvers<string>();
    const running = limited(() => task.promise, leaving.signal);
    leaving.abort(new Error('too late'));
    task.resolve('done');
    await expect(running).resolves.toBe('done');
  });
});
