import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { firstDayOfMonth, isoWeek, lastDayOfMonth, monthKey, monthOf } from './calendar-units.js';
import { formatLocalDate } from './local-date.js';
import { day } from './test-support.js';

describe('isoWeek', () => {
  it.each([
    ['2026-01-01', 2026, 1],
    ['2025-12-29', 2026, 1],
    ['2025-12-28', 2025, 52],
    ['2021-01-03', 2020, 53],
    ['2021-01-04', 2021, 1],
    ['2026-12-31', 2026, 53],
    ['2027-01-03', 2026, 53],
  ])('returns for %s the week %i-W%i', (date, year, week) => {
    expect(isoWeek(day(date))).toEqual({ year, week });
  });

  it('agrees with Temporal', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 100_000 }), (value) => {
        const date = Temporal.PlainDate.from('1970-01-01').add({ days: value });
        expect(isoWeek(value)).toEqual({ year: date.yearOfWeek, week: date.weekOfYear });
      }),
      { numRuns: 2000 },
    );
  });
});

describe('months', () => {
  it.each([
    ['2026-02-14', '2026-02', '2026-02-01', '2026-02-28'],
    ['2028-02-01', '2028-02', '2028-02-01', '2028-02-29'],
    ['2026-12-31', '2026-12', '2026-12-01', '2026-12-31'],
    ['2026-04-30', '2026-04', '2026-04-01', '2026-04-30'],
  ])('contain %s: %s from %s to %s', (date, key, first, last) => {
    const month = monthOf(day(date));
    expect(monthKey(month)).toBe(key);
    expect(formatLocalDate(firstDayOfMonth(month))).toBe(first);
    expect(formatLocalDate(lastDayOfMonth(month))).toBe(last);
  });
});
