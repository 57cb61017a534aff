import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { clip, overlap, overlapOfAll, unionOf, windowOf, type Interval } from './intervals.js';
import { at, range } from './test-support.js';

const interval = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: -3, max: 20 }))
  .map(([from, length]) => ({ from, to: from + length }));

/** The seconds that intervals cover, counted one by one. */
function covered(intervals: readonly Interval[]): Set<number> {
  const seconds = new Set<number>();
  for (const { from, to } of intervals) for (let second = from; second < to; second += 1) seconds.add(second);
  return seconds;
}

describe('unionOf', () => {
  it.each([
    ['no intervals', [], []],
    ['an empty interval', [[5, 5]], []],
    ['a reversed interval', [[5, 3]], []],
    [
      'overlapping intervals',
      [
        [1, 4],
        [3, 6],
      ],
      [[1, 6]],
    ],
    [
      'adjacent intervals',
      [
        [3, 6],
        [1, 3],
      ],
      [[1, 6]],
    ],
    [
      'an interval inside another',
      [
        [1, 9],
        [2, 3],
      ],
      [[1, 9]],
    ],
    [
      'separate intervals',
      [
        [7, 9],
        [1, 3],
      ],
      [
        [1, 3],
        [7, 9],
      ],
    ],
  ])('returns the union of %s', (_, given, expected) => {
    const pairs = (list: readonly (readonly number[])[]): Interval[] => list.map(([from = 0, to = 0]) => ({ from, to }));
    expect(unionOf(pairs(given))).toEqual(pairs(expected));
  });

  it('covers the same seconds, disjoint and sorted', () => {
    fc.assert(
      fc.property(fc.array(interval), (intervals) => {
        const union = unionOf(intervals);
        expect(covered(union)).toEqual(covered(intervals));
        for (const [index, { from }] of union.entries()) expect(from).toBeGreaterThan(union[index - 1]?.to ?? -Infinity);
        expect(unionOf(union)).toEqual(union);
      }),
    );
  });

  it('does not change its input', () => {
    const given = [
      { from: 7, to: 9 },
      { from: 1, to: 8 },
    ];
    unionOf(given);
    expect(given).toEqual([
      { from: 7, to: 9 },
      { from: 1, to: 8 },
    ]);
  });
});

describe('overlap', () => {
  it('counts the seconds that two intervals have in common', () => {
    fc.assert(
      fc.property(interval, interval, (a, b) => {
        const shared = [...covered([a])].filter((second) => covered([b]).has(second)).length;
        expect(overlap(a, b)).toBe(shared);
        expect(covered([clip(a, b)]).size).toBe(shared);
        expect(overlapOfAll([a], b)).toBe(shared);
      }),
    );
  });
});

describe('windowOf', () => {
  it('extends from local midnight to local midnight, also over a clock change', () => {
    expect(windowOf(range('2026-03-29', '2026-03-29'))).toEqual({ from: at('2026-03-28T23:00:00Z'), to: at('2026-03-29T22:00:00Z') });
    expect(windowOf(range('2026-10-01', '2026-10-31'))).toEqual({ from: at('2026-09-30T22:00:00Z'), to: at('2026-10-31T23:00:00Z') });
  });
});
