import { describe, expect, it } from '@jest/globals';
import { day, findIn, moment, workday } from '../test-support.js';
import { excessiveDailyHours } from './excessive-daily-hours.js';

const date = '2026-05-04';

describe('excessive-daily-hours', () => {
  it('shows the sum of the date and its workdays', () => {
    const workdays = [
      workday(date, '14:00', '20:30', { id: 'a' }),
      workday(date, '06:00', '13:00', { id: 'b', breaks: [['09:00', '09:30']] }),
    ];
    expect(findIn(excessiveDailyHours, workdays)).toEqual([
      {
        date: day(date),
        references: [
          ['workday', 'b'],
          ['workday', 'a'],
        ],
        context: { net_working_seconds: 46_800, max_working_seconds: 36_000 },
        details: 'Verdacht: Am 04.05.2026 wurden 13 Stunden gearbeitet, zulässig sind 10 Stunden.',
      },
    ]);
  });

  it.each([
    ['18:00:00', {}, 0],
    ['18:00:01', {}, 1],
    ['16:30:00', { max_hours: 8.5 }, 0],
    ['16:30:01', { max_hours: 8.5 }, 1],
  ])('checks work from 08:00 to %s with %j', (end, options, count) => {
    expect(findIn(excessiveDailyHours, [workday(date, '08:00', end)], { options })).toHaveLength(count);
  });

  it('shows more decimals if both numbers would look the same', () => {
    expect(findIn(excessiveDailyHours, [workday(date, '08:00', '18:00:01')])).toMatchObject([
      { details: 'Verdacht: Am 04.05.2026 wurden 10,0003 Stunden gearbeitet, zulässig sind 10 Stunden.' },
    ]);
  });

  it('ignores workdays that have not ended', () => {
    const workdays = [workday(date, '08:00', '19:00'), workday(date, '20:00', null)];
    const asOf = (now: string) => findIn(excessiveDailyHours, workdays, { moment: moment({ year: 2026, month: 5 }, now) });
    expect(asOf(`${date}T18:59:59`)).toEqual([]);
    expect(asOf(`${date}T19:00:00`)).toHaveLength(1);
  });

  it.each([
    // The hour from 02:00 to 03:00 does not exist in March and exists twice in October.
    ['2026-03-29', '00:00', '11:00:00', 0],
    ['2026-03-29', '00:00', '11:00:01', 1],
    ['2026-10-25', '00:00', '09:00:00', 0],
    ['2026-10-25', '00:00', '09:00:01', 1],
  ])('measures elapsed time on %s from %s to %s', (on, from, to, count) => {
    const month = { year: 2026, month: Number(on.slice(5, 7)) };
    expect(findIn(excessiveDailyHours, [workday(on, from, to)], { moment: moment(month, '2026-12-01T00:00:00') })).toHaveLength(count);
  });

  it('belongs to the date of the workday', () => {
    const night = workday('2026-04-30', '20:00', '2026-05-01T07:00');
    expect(findIn(excessiveDailyHours, [night])).toEqual([]);
    expect(findIn(excessiveDailyHours, [night], { moment: moment({ year: 2026, month: 4 }) })).toMatchObject([{ date: day('2026-04-30') }]);
  });
});
