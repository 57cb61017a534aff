import { describe, expect, it } from '@jest/globals';
import { monthKey, parseLocalDate } from '@stechuhr/worktime';
import { monthsAround } from './time-records.js';

describe('monthsAround', () => {
  it.each([
    ['2026-03-15', '2026-03-15', ['2026-02', '2026-03', '2026-04']],
    ['2025-12-31', '2026-01-01', ['2025-11', '2025-12', '2026-01', '2026-02']],
    ['2026-01-01', '2026-01-31', ['2025-12', '2026-01', '2026-02']],
  ])('takes the months of %s to %s and one on either side', (from, to, months) => {
    expect(monthsAround(parseLocalDate(from) ?? 0, parseLocalDate(to) ?? 0).map(monthKey)).toEqual(months);
  });
});
