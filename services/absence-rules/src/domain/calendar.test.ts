import { describe, expect, it } from '@jest/globals';
import { formatLocalDate } from '@stechuhr/worktime';
import fc from 'fast-check';
import { cycleOf, cycleYearOf, dayInYear, fullMonths, monthsLater } from './calendar.js';
import { day } from './test-support.js';

describe('fullMonths', () => {
  it.each([
    ['2026-03-15', '2026-06-14', 3],
    ['2026-03-15', '2026-06-13', 2],
    ['2026-03-15', '2026-03-15', 0],
    ['2026-08-01', '2026-12-31', 5],
    ['2026-08-01', '2026-12-30', 4],
    ['2026-09-15', '2026-12-31', 3],
    ['2026-01-01', '2026-12-31', 12],
    ['2026-07-01', '2026-12-31', 6],
    // The month that begins on 31 January ends where February does (BGB §188(3)).
    ['2026-01-31', '2026-02-28', 1],
    ['2026-01-31', '2026-02-27', 0],
    ['2026-01-31', '2026-03-30', 2],
    ['2026-01-30', '2026-02-28', 1],
    ['2026-01-29', '2026-02-28', 1],
    ['2028-01-30', '2028-02-28', 0],
    ['2028-01-30', '2028-02-29', 1],
    ['2028-02-29', '2028-03-28', 1],
    ['2026-03-31', '2026-04-30', 1],
    ['2026-03-31', '2026-04-29', 0],
    ['2025-11-15', '2026-02-14', 3],
  ])('%s to %s are %i', (first, last, months) => {
    expect(fullMonths({ first: day(first), last: day(last) })).toBe(months);
  });
});

describe('monthsLater', () => {
  it.each([
    ['01-01', 2026, 15, '2027-04-01'],
    ['08-31', 2026, 1, '2026-09-30'],
    ['02-29', 2024, 12, '2025-02-28'],
    ['02-29', 2023, 12, '2024-02-29'],
    ['11-30', 2026, 3, '2027-02-28'],
    ['12-15', 2026, 1, '2027-01-15'],
    ['12-15', 2026, 0, '2026-12-15'],
  ])('%s of %i and %i months is %s', (start, year, months, expected) => {
    const [month = 0, dayOfMonth = 0] = start.split('-').map(Number);
    expect(formatLocalDate(monthsLater({ month, day: dayOfMonth }, year, months))).toBe(expected);
  });
});

describe('cycles', () => {
  it.each([
    [{ month: 1, day: 1 }, 2026, '2026-01-01', '2026-12-31'],
    [{ month: 4, day: 1 }, 2026, '2026-04-01', '2027-03-31'],
    [{ month: 2, day: 29 }, 2023, '2023-02-28', '2024-02-28'],
    [{ month: 2, day: 29 }, 2024, '2024-02-29', '2025-02-27'],
  ])('starting on %j in %i run from %s to %s', (start, year, first, last) => {
    expect(cycleOf(start, year)).toEqual({ first: day(first), last: day(last) });
  });

  it('contain every day exactly once', () => {
    const monthDay = fc.record({ month: fc.integer({ min: 1, max: 12 }), day: fc.integer({ min: 1, max: 31 }) });
    fc.assert(
      fc.property(monthDay, fc.integer({ min: day('1990-01-01'), max: day('2060-12-31') }), (start, someDay) => {
        const year = cycleYearOf(start, someDay);
        const { first, last } = cycleOf(start, year);
        expect(first <= someDay && someDay <= last).toBe(true);
        expect(first).toBe(dayInYear(start, year));
        expect(cycleOf(start, year + 1).first).toBe(last + 1);
      }),
    );
  });
});
