import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createFairLimiter, type FairLimits, type WaitTerms } from './fair-limiter.js';

/** Tasks that the test ends, and the order in which they began. */
function stage(limits: FairLimits) {
  const limited = createFairLimiter(limits);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const add = (key: string, name: string, terms?: WaitTerms): Promise<void> => {
    const done = Promise.withResolvers<void>();
    const task = () => {
      started.push(name);
      ends.push(() => done.resolve());
      return done.promise;
    };
    return limited(key, task, terms);
  };
  /** Ends the task that has been running longest. */
  const endOne = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { add, endOne, started };
}

describe('createFairLimiter', () => {
  afterEach(() => void jest.useRealTimers());

  it('gives the next slot to another key, however many tasks of the first key wait', async () => {
    const { add, endOne, started } = stage({ concurrency: 1, perKey: 1 });
    for (let index = 0; index < 10_000; index++) void add('A', `A${String(index)}`);
    void add('B', 'B0');
    void add('B', 'B1');
    for (let index = 0; index < 4; index++) await endOne();
    expect(started).toEqual(['A0', 'B0', 'A1', 'B1', 'A2']);
  });

  it('finds the next task among tens of thousands of keys without looking at all of them', async () => {
    const limited = createFairLimiter({ concurrency: 8, perKey: 6 });
    const keys = Array.from({ length: 30_000 }, (_, at) => String(at));
    const started: string[] = [];
    const begunAt = performance.now();
    await Promise.all(keys.flatMap((key) => [1, 2].map(() => limited(key, async () => void started.push(key)))));
    // Looking at all keys for each task took longer.
    expect(performance.now() - begunAt).toBeLessThan(10_000);
    expect(new Set(started.slice(0, 30_000)).size).toBeGreaterThan(29_990);
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

  describe('with patience', () => {
    const terms = { patienceMs: 100 };
    const message = 'Earlier requests have been waiting for too long. Try again later.';
    const begin = () => {
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
      const one = stage({ concurrency: 3, perKey: 2 });
      const add = (name: string) => one.add(name.slice(0, 1), name, terms);
      return { ...one, add, addAll: (names: readonly string[]) => names.forEach((name) => void add(name)), patient: one.add };
    };

    it('refuses a task as soon as the first one of its key has waited for longer', async () => {
      const { add, addAll, patient, endOne, started } = begin();
      addAll(['A0', 'A1', 'A2', 'A3']);
      jest.advanceTimersByTime(60);
      await endOne();
      expect(started).toEqual(['A0', 'A1', 'A2']);
      // A3 has waited for exactly as long as it may.
      jest.advanceTimersByTime(40);
      addAll(['A4']);
      jest.advanceTimersByTime(1);
      await expect(add('A5')).rejects.toMatchObject({ code: 'rate_limited', message });
      // Without patience, a task waits whatever happens.
      void patient('A', 'A6');
      await endOne();
      // Now A4 is the first, which has only waited for a moment.
      addAll(['A7']);
      for (let running = 2; running < 7; running += 1) await endOne();
      expect(started).toEqual(['A0', 'A1', 'A2', 'A3', 'A4', 'A6', 'A7']);
    });

    it('blames the key only if its own tasks end, but others wait behind them', async () => {
      const { add, addAll, endOne } = begin();
      addAll(['A0', 'A1', 'A2', 'B0', 'B1']);
      jest.advanceTimersByTime(101);
      // Nothing ends.
      await expect(add('A3')).rejects.toMatchObject({ code: 'unavailable', message });
      // Others have the slot that B might have.
      await expect(add('B2')).rejects.toMatchObject({ code: 'unavailable', message });
      // One of A ends, and C, which has had none, gets its slot.
      addAll(['C0', 'C1']);
      await endOne();
      jest.advanceTimersByTime(101);
      await expect(add('C2')).rejects.toMatchObject({ code: 'unavailable', message });
    });
  });

  it('removes aborted tasks from the queue, and continues after a failure', async () => {
    const limited = createFairLimiter({ concurrency: 1, perKey: 1 });
    const first = Promise.withResolvers<never>();
    const failing = limited('A', () => first.promise);
    const impatient = new AbortController();
    const left = limited('B', async () => 'never', { signal: impatient.signal });
    const next = limited('A', async () => 'next');
    impatient.abort(new Error('enough'));
    await expect(left).rejects.toThrow('enough');
    first.reject(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('next');
    await expect(limited('B', async () => 'free')).resolves.toBe('free');
    await expect(limited('B', async () => 'never', { signal: impatient.signal })).rejects.toThrow('enough');
  });
});
