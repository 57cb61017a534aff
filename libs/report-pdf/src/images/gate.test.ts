import { describe, expect, it } from '@jest/globals';
import { createGate } from './gate.js';

const never = new AbortController().signal;

describe('createGate', () => {
  it('lets a number run at once, the others in their order', async () => {
    const gate = createGate(2);
    const started: number[] = [];
    const tasks = [0, 1, 2, 3].map((index) => {
      const done = Promise.withResolvers<number>();
      const result = gate.run(() => {
        started.push(index);
        return done.promise;
      }, never);
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
    const gate = createGate(1);
    await expect(gate.run(() => Promise.reject(new Error('no')), never)).rejects.toThrow('no');
    await expect(gate.run(() => Promise.resolve(1), never)).resolves.toBe(1);
  });

  it('lets those leave that give up waiting', async () => {
    const gate = createGate(1);
    const first = Promise.withResolvers<string>();
    const running = gate.run(() => first.promise, never);
    const impatient = new AbortController();
    const waiting = gate.run(() => Promise.resolve('waited'), impatient.signal);
    const next = gate.run(() => Promise.resolve('next'), never);
    impatient.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    first.resolve('first');
    await expect(Promise.all([running, next])).resolves.toEqual(['first', 'next']);
    await expect(gate.run(() => Promise.resolve(1), impatient.signal)).rejects.toThrow('enough');
  });
});
