import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { gatherTurns } from './gather-turns.js';

describe('gatherTurns', () => {
  it('lets all who come in one turn go on together, and those of the next behind them', async () => {
    const together = gatherTurns();
    const log: string[] = [];
    const come = async (name: string) => {
      await together();
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
