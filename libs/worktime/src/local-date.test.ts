import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { addDays, calendarDate, epochDay, formatLocalDate, parseLocalDate, weekday } from './local-date.js';

const anyDay = fc.integer({ min: -719_162, max: 2_932_896 });

describe('parseLocalDate', () => {
  it.each([
    ['1970-01-01', 0],
    ['1969-12-31', -1],
    ['2000-02-29', 11_016],
    ['2026-03-29', 20_541],
    ['0001-01-01', -719_162],
    ['9999-12-31', 2_932_896],
  ])('parses %s as day %i', (text, expected) => {
    expect(parseLocalDate(text)).toBe(expected);
  });

  it.each([
    '',
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-01-32',
    '0000-01-01',
    '2026-1-1',
    '2026/01/01',
    '2026-01-01T00:00',
    ' 2026-01-01',
    '2026-01-01 ',
    '20260101',
    '2026-01-1x',
    '+2026-01-01',
    '２０２６-01-01',
  ])('rejects %p', (text) => {
    expect(parseLocalDate(text)).toBeUndefined();
  });

  it('parses every date that it formats', () => {
    fc.assert(
      fc.property(anyDay, (day) => parseLocalDate(formatLocalDate(day)) === day),
      { numRuns: 5000 },
    );
  });
});

describe('dates', () => {
  it('agree with Temporal', () => {
    const epoch = Temporal.PlainDate.from('1970-01-01');
    fc.assert(
      fc.property(anyDay, (day) => {
        const expected = epoch.add({ days: day });
        expect(formatLocalDate(day)).toBe(expected.toString());
        expect(calendarDate(day)).toEqual({ year: expected.year, month: expected.month, day: expected.day });
        expect(epochDay(expected.year, expected.month, expected.day)).toBe(day);
        expect(weekday(day)).toBe(expected.dayOfWeek - 1);
      }),
      { numRuns: 5000 },
    );
  });

  it('are formatted correctly after others replaced them in the cache', () => {
    expect([20_541, 20_541 + 4096, 20_541 - 4096, 20_541].map(formatLocalDate)).toEqual([
      '2026-03-29',
      '2037-06-15',
      '2015-01-10',
      '2026-03-29',
    ]);
  });

  it('add calendar days over a clock change', () => {
    expect(formatLocalDate(addDays(epochDay(2026, 3, 28), 2))).toBe('2026-03-30');
    expect(formatLocalDate(addDays(epochDay(2026, 1, 1), -1))).toBe('2025-12-31');
  });
});
