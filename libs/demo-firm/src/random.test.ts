import { describe, expect, it } from '@jest/globals';
import { at, createRandom } from './random.js';

describe('createRandom', () => {
  it('returns the same sequence for the same key', () => {
    const draw = () => Array.from({ length: 5 }, createRandom('seed', 7, 'sick').next);
    expect(draw()).toEqual(draw());
  });

  it('differs for every part of the key', () => {
    const first = [
      createRandom('a', 1, 2),
      createRandom('a', 2, 1),
      createRandom('b', 1, 2),
      createRandom('a', 1, 3),
      createRandom(1, 'a', 2),
    ];
    expect(new Set(first.map((random) => random.next())).size).toBe(first.length);
  });

  it('is evenly distributed over a range including both ends', () => {
    const counts = [0, 0, 0, 0];
    for (let key = 0; key < 4000; key++) {
      const value = createRandom('spread', key).int(2, 5) - 2;
      counts[value] = (counts[value] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});

describe('at', () => {
  it.each([
    [0, 'a'],
    [2, 'c'],
    [3, 'a'],
    [-1, 'c'],
  ])('returns the entry of index %i', (index, entry) => {
    expect(at(['a', 'b', 'c'], index)).toBe(entry);
  });
});
