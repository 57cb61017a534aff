import { describe, expect, it } from '@jest/globals';
import { formatLocalDate } from '@stechuhr/worktime';
import { day, findIn, moment, workday, type RecordedWorkday } from '../test-support.js';
import { insufficientRestPeriod } from './insufficient-rest-period.js';

const late = workday('2026-05-04', '14:00', '22:00', { id: 'late' });
const early = (start: string) => workday('2026-05-05', start, '15:00', { id: 'early' });
const rests = (workdays: readonly RecordedWorkday[], asked?: Parameters<typeof findIn>[2]) =>
  findIn(insufficientRestPeriod, workdays, asked).map(({ date, context }) => [formatLocalDate(date), context.rest_seconds]);

describe('insufficient-rest-period', () => {
  it('shows the rest before the later day and both workdays', () => {
    expect(findIn(insufficientRestPeriod, [early('06:00'), late])).toEqual([
      {
        date: day('2026-05-05'),
        references: [
          ['workday', 'late'],
          ['workday', 'early'],
        ],
        context: { rest_seconds: 28_800, required_rest_seconds: 39_600 },
        details: 'Verdacht: Vor dem Arbeitsbeginn am 05.05.2026 um 06:00 Uhr lagen nur 8 Stunden Ruhezeit, nötig sind 11 Stunden.',
      },
    ]);
  });

  it.each([
    ['09:00:00', {}, []],
    ['08:59:59', {}, [['2026-05-05', 39_599]]],
    ['08:00:00', { min_hours: 10 }, []],
    ['07:59:59', { min_hours: 10 }, [['2026-05-05', 35_999]]],
    ['07:29:59', { min_hours: 9.5 }, [['2026-05-05', 34_199]]],
  ])('checks a start at %s with %j', (start, options, expected) => {
    expect(rests([late, early(start)], { options })).toEqual(expected);
  });

  it('treats adjacent shifts as one, and ignores overlapping ones', () => {
    const night = workday('2026-05-04', '22:00', '2026-05-05T06:00');
    expect(rests([night, early('06:00:01')])).toEqual([['2026-05-05', 1]]);
    expect(rests([night, early('06:00')])).toEqual([]);
    expect(rests([night, early('05:00')])).toEqual([]);
  });

  it('compares days, not workdays', () => {
    expect(rests([workday('2026-05-04', '06:00', '10:00'), workday('2026-05-04', '11:00', '15:00')])).toEqual([]);
    const split = [
      workday('2026-05-05', '04:00', '05:00'),
      workday('2026-05-05', '20:00', '23:00'),
      workday('2026-05-06', '09:00', '10:00'),
    ];
    expect(rests([late, ...split])).toEqual([
      ['2026-05-05', 21_600],
      ['2026-05-06', 36_000],
    ]);
  });

  it('counts from the latest end so far', () => {
    const long = workday('2026-05-03', '20:00', '2026-05-04T23:00', { id: 'long' });
    expect(findIn(insufficientRestPeriod, [long, late, early('08:00')])).toMatchObject([
      {
        references: [
          ['workday', 'long'],
          ['workday', 'early'],
        ],
        context: { rest_seconds: 32_400 },
      },
    ]);
  });

  it('considers the previous month and year, but not the next month', () => {
    const pair = [workday('2026-04-30', '14:00', '23:00'), workday('2026-05-01', '07:00', '12:00')];
    expect(rests(pair)).toEqual([['2026-05-01', 28_800]]);
    expect(rests(pair, { moment: moment({ year: 2026, month: 4 }) })).toEqual([]);
    const newYear = [workday('2025-12-31', '14:00', '23:00'), workday('2026-01-01', '07:00', '12:00')];
    expect(rests(newYear, { moment: moment({ year: 2026, month: 1 }) })).toEqual([['2026-01-01', 28_800]]);
  });

  it('checks only workdays that have ended and have a duration', () => {
    const asOf = (now: string) => rests([late, early('06:00')], { moment: moment({ year: 2026, month: 5 }, now) });
    expect(asOf('2026-05-05T14:59:59')).toEqual([]);
    expect(asOf('2026-05-05T15:00:00')).toHaveLength(1);
    expect(rests([late, workday('2026-05-05', '05:00', '05:00'), workday('2026-05-05', '05:30', null), early('10:00')])).toEqual([]);
  });

  it.each([
    // From 21:00 to 07:00, 08:00 or 09:00 local time.
    ['2026-03-28', '2026-03-29', '09:00:00', []],
    ['2026-03-28', '2026-03-29', '08:59:59', [['2026-03-29', 39_599]]],
    ['2026-10-24', '2026-10-25', '07:00:00', []],
    ['2026-10-24', '2026-10-25', '06:59:59', [['2026-10-25', 39_599]]],
  ])('measures elapsed time in the night of %s', (before, after, start, expected) => {
    const workdays = [workday(before, '14:00', '21:00'), workday(after, start, '12:00')];
    const month = { year: 2026, month: Number(after.slice(5, 7)) };
    expect(rests(workdays, { moment: moment(month, '2026-12-01T00:00:00') })).toEqual(expected);
  });
});
