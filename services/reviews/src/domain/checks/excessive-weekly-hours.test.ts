import { describe, expect, it } from '@jest/globals';
import { formatLocalDate, addDays } from '@stechuhr/worktime';
import { day, findIn, moment, workday, type RecordedWorkday } from '../test-support.js';
import { excessiveWeeklyHours } from './excessive-weekly-hours.js';

/** Returns workdays of this many hours from 06:00, on consecutive days from a Monday on. */
function week(monday: string, ...hours: readonly number[]): RecordedWorkday[] {
  return hours.map((length, index) => {
    const date = formatLocalDate(addDays(day(monday), index));
    return workday(date, '06:00', `${String(6 + length).padStart(2, '0')}:00`, { id: date });
  });
}

const shown = (workdays: readonly RecordedWorkday[], asked?: Parameters<typeof findIn>[2]) =>
  findIn(excessiveWeeklyHours, workdays, asked).map(({ date, context }) => [
    formatLocalDate(date),
    context.week,
    Number(context.net_working_seconds) / 3600,
  ]);

describe('excessive-weekly-hours', () => {
  it('shows the day that exceeds the maximum with all workdays up to it', () => {
    const [mo, tu, we, th, fr] = week('2026-05-04', 10, 10, 10, 10, 9, 9);
    const saturday = [workday('2026-05-09', '06:00', '08:00', { id: 'x' }), workday('2026-05-09', '10:00', '12:00', { id: 'y' })];
    const found = findIn(
      excessiveWeeklyHours,
      [...saturday, mo, tu, we, th, fr].flatMap((entry) => entry ?? []),
    );
    expect(found).toEqual([
      {
        date: day('2026-05-08'),
        references: ['2026-05-04', '2026-05-05', '2026-05-06', '2026-05-07', '2026-05-08'].map((id) => ['workday', id]),
        context: { week: '2026-W19', net_working_seconds: 176_400, max_working_seconds: 172_800 },
        details: 'Verdacht: In der Kalenderwoche 19/2026 wurden bis zum 08.05.2026 49 Stunden gearbeitet, zulässig sind 48 Stunden.',
      },
    ]);
  });

  it.each([
    ['14:00:00', {}, []],
    ['14:00:01', {}, [['2026-05-09', '2026-W19', 48 + 1 / 3600]]],
    ['14:30:00', { max_hours: 48.5 }, []],
    ['14:30:01', { max_hours: 48.5 }, [['2026-05-09', '2026-W19', 48.5 + 1 / 3600]]],
  ])('checks five days of eight hours and a Saturday from 06:00 to %s with %j', (end, options, expected) => {
    expect(shown([...week('2026-05-04', 8, 8, 8, 8, 8), workday('2026-05-09', '06:00', end)], { options })).toEqual(expected);
  });

  it('counts whole days, including time after the maximum was exceeded', () => {
    const sunday = [workday('2026-05-10', '06:00', '07:00', { id: 'a' }), workday('2026-05-10', '08:00', '12:00', { id: 'b' })];
    expect(shown([...week('2026-05-04', 8, 8, 8, 8, 8, 8), ...sunday])).toEqual([['2026-05-10', '2026-W19', 53]]);
  });

  it('starts again on Monday', () => {
    expect(shown([...week('2026-05-04', 8, 8, 8, 8, 8, 8), ...week('2026-05-11', 8, 8, 8, 8, 8, 8)])).toEqual([]);
    expect(shown([...week('2026-05-04', 10, 10, 10, 10, 10, 10), ...week('2026-05-11', 10, 10, 10, 10, 10, 10)])).toEqual([
      ['2026-05-08', '2026-W19', 50],
      ['2026-05-15', '2026-W20', 50],
    ]);
  });

  it('shows a week that crosses two months in the month of the reported day', () => {
    // Monday 27 April to Sunday 3 May.
    const passedInMay = week('2026-04-27', 10, 10, 10, 10, 10);
    expect(shown(passedInMay)).toEqual([['2026-05-01', '2026-W18', 50]]);
    expect(shown(passedInMay, { moment: moment({ year: 2026, month: 4 }) })).toEqual([]);
    const passedInApril = week('2026-04-27', 13, 13, 13, 13, 10);
    expect(shown(passedInApril)).toEqual([]);
    expect(shown(passedInApril, { moment: moment({ year: 2026, month: 4 }) })).toEqual([['2026-04-30', '2026-W18', 52]]);
  });

  it('numbers the week by its Thursday', () => {
    const newYear = week('2025-12-29', 10, 10, 10, 10, 10);
    expect(shown(newYear, { moment: moment({ year: 2026, month: 1 }) })).toEqual([['2026-01-02', '2026-W01', 50]]);
    const end = week('2026-12-28', 10, 10, 10, 10, 10);
    expect(shown(end, { moment: moment({ year: 2027, month: 1 }, '2027-02-01T00:00:00') })).toEqual([['2027-01-01', '2026-W53', 50]]);
  });

  it('checks only workdays that have ended', () => {
    const asOf = (now: string) => shown(week('2026-05-04', 10, 10, 10, 10, 10), { moment: moment({ year: 2026, month: 5 }, now) });
    expect(asOf('2026-05-08T15:59:59')).toEqual([]);
    expect(asOf('2026-05-08T16:00:00')).toHaveLength(1);
  });

  it('measures elapsed time when clocks change', () => {
    const nights = (sunday: string, end: string) => [
      ...week(formatLocalDate(addDays(day(sunday), -6)), 8, 8, 8, 8, 8),
      workday(sunday, '00:00', end),
    ];
    const found = (sunday: string, end: string) =>
      findIn(excessiveWeeklyHours, nights(sunday, end), {
        moment: moment({ year: 2026, month: Number(sunday.slice(5, 7)) }, '2026-12-01T00:00:00'),
      }).length;
    expect([found('2026-03-29', '09:00:00'), found('2026-03-29', '09:00:01')]).toEqual([0, 1]);
    expect([found('2026-10-25', '07:00:00'), found('2026-10-25', '07:00:01')]).toEqual([0, 1]);
  });
});
