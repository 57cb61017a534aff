import { describe, expect, it } from '@jest/globals';
import { createSliceSize } from './slice-size.js';

describe('the size of a slice', () => {
  const after = (...slices: readonly (readonly [steps: number, ms: number])[]): number => {
    const size = createSliceSize();
    for (const [steps, ms] of slices) size.took(steps, ms);
    return size.steps();
  };

  it.each([
    ['begins small', [], 50],
    ['grows twofold while steps are fast', [[50, 20]], 100],
    [
      'up to a limit',
      [
        [50, 1],
        [100, 1],
        [200, 1],
        [400, 1],
        [800, 1],
      ],
      800,
    ],
    ['becomes what takes two seconds', [[50, 1_250]], 80],
    [
      'shrinks at once when steps are slow',
      [
        [50, 20],
        [100, 8_000],
      ],
      50,
    ],
    [
      'stays the same after a small remaining slice',
      [
        [50, 20],
        [3, 5],
      ],
      100,
    ],
    [
      'shrinks also after a slice that was returned early',
      [
        [50, 20],
        [100, 20],
        [80, 10_000],
      ],
      50,
    ],
  ] as const)('%s', (_, slices, expected) => {
    expect(after(...slices)).toBe(expected);
  });
});
