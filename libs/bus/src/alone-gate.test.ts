import { describe, expect, it } from '@jest/globals';
import { AloneGate } from './alone-gate.js';

/** Tasks that log their begin and end, and end when they are told to. */
function tasksOf(gate: AloneGate) {
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const task = (name: string) => async () => {
    log.push(`${name} begins`);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    log.push(`${name} ends`);
  };
  return {
    log,
    together: (name: string) => gate.together(task(name)),
    alone: (name: string) => gate.alone(task(name)),
    async end(name: string) {
      ends.get(name)?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('AloneGate', () => {
  it('runs a task when the others have ended, and the next ones after it', async () => {
    const { log, together, alone, end } = tasksOf(new AloneGate());
    const all = [together('a'), together('b'), alone('c'), together('d'), alone('e'), together('f')];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await end(name);
    await Promise.all(all);
    expect(log).toEqual(['a begins', 'b begins', 'a ends', 'b ends', ...inTurn('c', 'd', 'e', 'f')]);
  });

  it('reopens after a task that fails', async () => {
    const gate = new AloneGate();
    await expect(gate.alone(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(gate.together(async () => 'runs')).resolves.toBe('runs');
  });

  it('waits for no task that does not end', async () => {
    const gate = new AloneGate(10);
    void gate.together(() => new Promise(() => undefined));
    void gate.alone(() => new Promise(() => undefined));
    await expect(gate.alone(async () => 'alone')).resolves.toBe('alone');
    await expect(gate.together(async () => 'together')).resolves.toBe('together');
  });
});

function inTurn(...names: readonly string[]): string[] {
  return names.flatMap((name) => [`${name} begins`, `${name} ends`]);
}
