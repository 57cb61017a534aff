import { describe, expect, it } from '@jest/globals';
import { monthKey, parseLocalDate } from '@stechuhr/worktime';
import { monthsAround, monthsToRead } from './time-records.js';

describe('monthsAround', () => {
  it.each([
    ['2026-03-15', '2026-03-15', ['2026-02', '2026-03', '2026-04']],
    ['2025-12-31', '2026-01-01', ['2025-11', '2025-12', '2026-01', '2026-02']],
    ['2026-01-01', '2026-01-31', ['2025-12', '2026-01', '2026-02']],
  ])('takes the months of %s to %s and one on either side', (from, to, months) => {
    expect(monthsAround(parseLocalDate(from) ?? 0, parseLocalDate(to) ?? 0).map(monthKey)).toEqual(months);
  });
});

describe('monthsToRead', () => {
  const day = (text: string) => parseLocalDate(text) ?? 0;
  const query = { fromDay: day('9999-12-01'), toDay: day('9999-12-31') };

  it('skips months without tracked time between the start and the requested days', () => {
    const months = [
      { year: 1, month: 2 },
      { year: 2026, month: 5 },
      { year: 9999, month: 12 },
    ];
    expect(monthsToRead({ day: day('0001-02-01'), months, bytes: 0 }, query).map(monthKey)).toEqual([
      ...['0001-01', '0001-02', '0001-03', '2026-05'],
      ...['9999-11', '9999-12', '10000-01'],
    ]);
  });

  it('returns the months around the requested days if there is no earlier start', () => {
    expect(monthsToRead(undefined, query)).toHaveLength(3);
  });
});
