import { describe, expect, it } from '@jest/globals';
import { monthSlices, Readers } from './month-slices.js';

function readersOf(count: number): Readers {
  return Object.assign(new Readers(), { count });
}

describe('monthSlices', () => {
  const year = () => 14;
  const staff = Array.from({ length: 60 }, (_, n) => String(n));

  it.each([
    // 7, 17 and 17 employees with fourteen months each have 98 and 238 months.
    ['one reader', 1, 250, [7, 17, 17, 17, 2]],
    ['eight readers', 8, 250, [7, 17, 17, 17, 2]],
    ['sixteen readers', 16, 125, [7, 8, 8, 8, 8, 8, 8, 5]],
    ['forty readers', 40, 50, Array.from({ length: 20 }, () => 3)],
    ['a thousand readers', 1_000, 25, Array.from({ length: 60 }, () => 1)],
  ])('are smaller the more readers there are: %s', (_, count, months, sizes) => {
    expect(readersOf(count).monthsASlice).toBe(months);
    expect(monthSlices(staff, year, readersOf(count)).map(({ length }) => length)).toEqual(sizes);
  });
});
