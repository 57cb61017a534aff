import { describe, expect, it } from '@jest/globals';
import { createRunSlots } from './run-slots.js';

const never = new AbortController().signal;

/** A run that ends when it is told to. */
function held() {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { run: () => promise, end: resolve };
}

describe('createRunSlots', () => {
  it('lets the next in line go when one ends, also with an error', async () => {
    const inSlot = createRunSlots(1);
    const first = held();
    const started: string[] = [];
    const running = inSlot(never, first.run);
    const second = inSlot(never, async () => {
      started.push('second');
      throw new Error('failed');
    });
    const third = inSlot(never, async () => started.push('third'));
    expect(started).toEqual([]);
    first.end('done');
    expect(await running).toBe('done');
    await expect(second).rejects.toThrow('failed');
    await third;
    expect(started).toEqual(['second', 'third']);
  });

  it('lets as many run as there are slots', async () => {
    const inSlot = createRunSlots(2);
    const [one, two] = [held(), held()];
    const running = [inSlot(never, one.run), inSlot(never, two.run)];
    let third = false;
    const waiting = inSlot(never, async () => (third = true));
    two.end('');
    await running[1];
    await waiting;
    expect(third).toBe(true);
    one.end('');
    await Promise.all(running);
  });

  it('forgets a caller who leaves the line', async () => {
    const inSlot = createRunSlots(1);
    const first = held();
    const running = inSlot(never, first.run);
    const leaving = new AbortController();
    let ran = false;
    const waiting = inSlot(leaving.signal, async () => (ran = true));
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    await expect(inSlot(leaving.signal, async () => true)).rejects.toMatchObject({ code: 'unavailable' });
    first.end('');
    await running;
    expect(await inSlot(never, async () => 'free')).toBe('free');
    expect(ran).toBe(false);
  });
});
