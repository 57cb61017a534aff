import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { sharedTick } from './shared-tick.js';

describe('sharedTick', () => {
  it('resolves together for all callers of one iteration of the event loop, and later for those of the next', async () => {
    const endOfTick = sharedTick();
    const log: string[] = [];
    const come = async (name: string) => {
      await endOfTick();
      log.push(name);
    };
    const first = [come('a'), Promise.resolve().then(() => come('b'))];
    expect(log).toEqual([]);
    await nextTurn();
    const second = come('c');
    expect(log).toEqual(['a', 'b']);
    await Promise.all([...first, second]);
    expect(log).toEqual(['a', 'b', 'c']);
  });
});
