import { describe, expect, it } from '@jest/globals';
import { parseLocalDate } from '@stechuhr/worktime';
import { countMonths, ordinalOf, rangesByYear, windowOf } from './month-counts.js';

const ordinal = (year: number, month: number) => ordinalOf({ year, month });
const days = (from?: string, until?: string) => ({
  from: from === undefined ? undefined : parseLocalDate(from),
  until: until === undefined ? undefined : parseLocalDate(until),
});

describe('countMonths', () => {
  const documents = [
    { year: 2026, month: 2, count: 3 },
    { year: 2025, month: 12, count: 1 },
    { year: 2026, month: 2, count: 4 },
    { year: 2026, month: 1, count: 0 },
  ];

  it('sums up the counts of each month, in the order of the months', async () => {
    expect(await countMonths(documents, days())).toEqual([
      { ordinal: ordinal(2025, 12), count: 1, stored: 1 },
      { ordinal: ordinal(2026, 1), count: 0, stored: 0 },
      { ordinal: ordinal(2026, 2), count: 7, stored: 7 },
    ]);
  });

  it.each([
    [days('2025-12-01', '2026-02-28'), [1, 0, 7]],
    [days('2025-12-02', undefined), [undefined, 0, 7]],
    [days(undefined, '2026-02-27'), [1, 0, undefined]],
  ])('does not know months that are cut by %j', async (range, counts) => {
    expect((await countMonths(documents, range)).map(({ count }) => count)).toEqual(counts);
  });

  it('gives no count for a month with a document that has none', async () => {
    const silent = [{ year: 2026, month: 2, count: null }, ...documents, { year: 2025, month: 12, count: undefined }];
    const counted = await countMonths(silent, days());
    expect(counted.map(({ count }) => count)).toEqual([undefined, 0, undefined]);
    expect(counted.map(({ stored }) => stored)).toEqual([1, 0, 7]);
  });

  it('gives no counts if only changed entries are listed', async () => {
    expect((await countMonths(documents, { ...days(), modifiedSince: 0 })).map(({ count, stored }) => [count, stored])).toEqual([
      [undefined, 1],
      [undefined, 0],
      [undefined, 7],
    ]);
  });
});

describe('windowOf', () => {
  const months = [
    { ordinal: 1, count: 4 },
    { ordinal: 2, count: 0 },
    { ordinal: 3, count: 3 },
    { ordinal: 5, count: 2 },
  ];

  it.each([
    [0, 4, { touched: [1], skip: 0 }],
    [3, 2, { touched: [1, 3], skip: 3 }],
    [4, 3, { touched: [3], skip: 0 }],
    [5, 100, { touched: [3, 5], skip: 1 }],
    [8, 1, { touched: [5], skip: 1 }],
    [9, 1, { touched: [], skip: 0 }],
  ])('finds the page at %d of %d entries', (offset, limit, expected) => {
    expect(windowOf(months, offset, limit)).toEqual({ count: 9, ...expected });
  });
});

describe('rangesByYear', () => {
  it('returns one range for each year that has a month, however far apart the years are', () => {
    const tracked = [ordinal(2199, 12), ordinal(2026, 3), ordinal(2026, 1), ordinal(1900, 7)];
    expect(rangesByYear(tracked)).toEqual([
      { year: 2199, first: 12, last: 12 },
      { year: 2026, first: 1, last: 3 },
      { year: 1900, first: 7, last: 7 },
    ]);
    expect(rangesByYear([])).toEqual([]);
  });
});
