import { describe, expect, it } from '@jest/globals';
import { formatLocalDate, holidayCalendar } from '@stechuhr/worktime';
import { absence, application, contract, day, find, moment, records, workday } from '../test-support.js';
import { unfiledAbsence } from './unfiled-absence.js';

// May 2026 in Bavaria: holidays on Friday 1, Thursday 14 and Monday 25; 18 days with planned time.
const PLANNED = ['04', '05', '06', '07', '08', '11', '12', '13', '15', '18', '19', '20', '21', '22', '26', '27', '28', '29'];
const dates = (given: Parameters<typeof find>[1], asked?: Parameters<typeof find>[2]) =>
  find(unfiledAbsence, given, asked).map(({ date }) => formatLocalDate(date).slice(-2));

describe('unfiled-absence', () => {
  it('finds every planned day without records', () => {
    expect(dates({})).toEqual(PLANNED);
  });

  it('shows the planned time', () => {
    const half = contract({ plannedMinutes: [450, 0, 0, 0, 0, 0, 0] });
    const { terms } = records();
    expect(find(unfiledAbsence, { terms: { ...terms, contracts: [half] } })[0]).toEqual({
      date: day('2026-05-04'),
      references: [],
      context: { planned_seconds: 27_000 },
      details: 'Am 04.05.2026 waren 7,5 Stunden geplant, aber es ist nichts erfasst.',
    });
  });

  it.each([
    ['a workday', { workdays: [workday('2026-05-05', '08:00', '09:00')] }, '05'],
    ['an open workday', { workdays: [workday('2026-05-05', '08:00', null)] }, '05'],
    ['a workday that began the evening before', { workdays: [workday('2026-05-05', '2026-05-04T23:00', '07:00')] }, '05'],
    ['half a day of absence', { absences: [absence('2026-05-05', '2026-05-05', { dayPart: 0.5 })] }, '05'],
    ['a pending application', { applications: [application('2026-05-05', '2026-05-05')] }, '05'],
  ])('%s explains its day', (_, given, explained) => {
    expect(dates(given)).toEqual(PLANNED.filter((date) => date !== explained));
  });

  it('accepts only pending applications as an explanation', () => {
    expect(dates({ applications: [application('2026-05-05', '2026-05-05', { isPending: false })] })).toEqual(PLANNED);
  });

  it('includes the first and last day of an absence', () => {
    expect(dates({ absences: [absence('2026-04-20', '2026-05-04'), absence('2026-05-08', '2026-06-30')] })).toEqual(['05', '06', '07']);
  });

  it.each([
    ['2026-05-04T23:59:59', []],
    ['2026-05-05T00:00:00', ['04']],
    ['2026-05-08T12:00:00', ['04', '05', '06', '07']],
    ['2026-04-30T12:00:00', []],
  ])('as of %s checks past days only', (now, expected) => {
    expect(dates({}, { moment: moment({ year: 2026, month: 5 }, now) })).toEqual(expected);
  });

  it('finds nothing outside the employment, whose first and last day are included', () => {
    const employment = { hiredOn: day('2026-05-06'), leftOn: day('2026-05-08') };
    expect(dates({ terms: { ...records().terms, employment } })).toEqual(['06', '07', '08']);
  });

  it('finds nothing without a contract, but finds days that are holidays only in other states', () => {
    const { terms } = records();
    expect(dates({ terms: { ...terms, contracts: [] } })).toEqual([]);
    const june = { moment: moment({ year: 2026, month: 6 }) };
    // Corpus Christi, 4 June 2026, is a holiday in Bavaria but not in Berlin.
    expect(dates({}, june)).not.toContain('04');
    expect(dates({ terms: { ...terms, holidays: holidayCalendar('DE-BE') } }, june)).toContain('04');
  });
});
