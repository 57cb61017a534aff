import { describe, expect, it } from '@jest/globals';
import { createFairLimiter, type FairLimits } from './fair-limiter.js';

/** Tasks that the test ends, and the order in which they began. */
function stage(limits: FairLimits) {
  const limited = createFairLimiter(limits);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const add = (key: string, name: string, signal?: AbortSignal): Promise<void> => {
    const done = Promise.withResolvers<void>();
    const task = () => {
      started.push(name);
      ends.push(() => done.resolve());
      return done.promise;
    };
    return limited(key, task, signal);
  };
  /** Ends the task that has been running longest. */
  const endOne = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { add, endOne, started };
}

describe('createFairLimiter', () => {
  it('gives the next slot to another key, however many tasks of the first key wait', async () => {
    const { add, endOne, started } = stage({ concurrency: 1, perKey: 1 });
    for (let index = 0; index < 10_000; index++) void add('A', `A${String(index)}`);
    void add('B', 'B0');
    void add('B', 'B1');
    for (let index = 0; index < 4; index++) await endOne();
    expect(started).toEqual(['A0', 'B0', 'A1', 'B1', 'A2']);
  });

  it('reserves a slot that a single key cannot occupy', async () => {
    const { add, started, endOne } = stage({ concurrency: 3, perKey: 2 });
    for (const name of ['A0', 'A1', 'A2', 'A3']) void add('A', name);
    expect(started).toEqual(['A0', 'A1']);
    void add('B', 'B0');
    expect(started).toEqual(['A0', 'A1', 'B0']);
    await endOne();
    expect(started).toEqual(['A0', 'A1', 'B0', 'A2']);
  });

  it('does not prefer keys with intermittent tasks to a key with waiting tasks', async () => {
    const { add, endOne, started } = stage({ concurrency: 1, perKey: 1 });
    for (const name of ['A0', 'A1', 'A2']) void add('A', name);
    for (let index = 0; index < 6; index++) {
      void add(`guest${String(index % 2)}`, `guest${String(index)}`);
      await endOne();
    }
    expect(started.filter((name) => name.startsWith('A'))).toEqual(['A0', 'A1', 'A2']);
  });

  it('rejects excess tasks of one key, but no tasks of another', async () => {
    const { add, endOne } = stage({ concurrency: 1, perKey: 1, waitingPerKey: 2 });
    for (const name of ['A0', 'A1', 'A2']) void add('A', name);
    await expect(add('A', 'A3')).rejects.toMatchObject({ code: 'rate_limited', message: 'At most 2 may wait; try again later.' });
    const other = add('B', 'B0');
    await endOne();
    await endOne();
    await expect(other).resolves.toBeUndefined();
  });

  it('removes aborted tasks from the queue, and continues after a failure', async () => {
    const limited = createFairLimiter({ concurrency: 1, perKey: 1 });
    const first = Promise.withResolvers<never>();
    const failing = limited('A', () => first.promise);
    const impatient = new AbortController();
    const left = limited('B', async () => 'never', impatient.signal);
    const next = limited('A', async () => 'next');
    impatient.abort(new Error('enough'));
    await expect(left).rejects.toThrow('enough');
    first.reject(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('next');
    await expect(limited('B', async () => 'free')).resolves.toBe('free');
    await expect(limited('B', async () => 'never', impatient.signal)).rejects.toThrow('enough');
  });
});
