import { describe, expect, it } from '@jest/globals';
import { FEDERAL_STATES, type FederalState } from './federal-states.js';
import { holidayCalendar } from './holidays.js';
import { epochDay, formatLocalDate } from './local-date.js';
import { day } from './test-support.js';

/** The public holidays of a year as MM-DD. */
function holidaysOf(state: FederalState | null, year: number): string[] {
  const found: string[] = [];
  for (let date = epochDay(year, 1, 1); date < epochDay(year + 1, 1, 1); date += 1) {
    if (holidayCalendar(state).isHoliday(date)) found.push(formatLocalDate(date).slice(5));
  }
  return found;
}

const NATIONWIDE_2026 = ['01-01', '04-03', '04-06', '05-01', '05-14', '05-25', '10-03', '12-25', '12-26'];

/** The holidays of each state in 2026, in addition to the nationwide ones. */
const ADDED_2026: Record<FederalState, string[]> = {
  'DE-BB': ['04-05', '05-24', '10-31'],
  'DE-BE': ['03-08'],
  'DE-BW': ['01-06', '06-04', '11-01'],
  'DE-BY': ['01-06', '06-04', '11-01'],
  'DE-HB': ['10-31'],
  'DE-HE': ['06-04'],
  'DE-HH': ['10-31'],
  'DE-MV': ['03-08', '10-31'],
  'DE-NI': ['10-31'],
  'DE-NW': ['06-04', '11-01'],
  'DE-RP': ['06-04', '11-01'],
  'DE-SH': ['10-31'],
  'DE-SL': ['06-04', '08-15', '11-01'],
  'DE-SN': ['10-31', '11-18'],
  'DE-ST': ['01-06', '10-31'],
  'DE-TH': ['09-20', '10-31'],
};

describe('holidayCalendar', () => {
  it.each(FEDERAL_STATES)('has the public holidays of %s in 2026', (state) => {
    expect(holidaysOf(state, 2026)).toEqual([...NATIONWIDE_2026, ...ADDED_2026[state]].sort());
  });

  it('has the nationwide ones without a state', () => {
    expect(holidaysOf(null, 2026)).toEqual(NATIONWIDE_2026);
  });

  it('applies the law of the year', () => {
    expect(holidaysOf(null, 2017)).toContain('10-31');
    expect(holidaysOf(null, 2018)).not.toContain('10-31');
    expect(holidaysOf('DE-BE', 2025)).toContain('05-08');
    expect(holidaysOf('DE-BE', 2018)).not.toContain('03-08');
  });

  it('has no 15 August, Christmas Eve or New Year’s Eve in Bavaria', () => {
    const calendar = holidayCalendar('DE-BY');
    expect(['2026-08-15', '2026-12-24', '2026-12-31'].map((date) => calendar.isHoliday(day(date)))).toEqual([false, false, false]);
  });

  it('has their German names', () => {
    const calendar = holidayCalendar('DE-BY');
    expect(calendar.nameOf(day('2026-06-04'))).toBe('Fronleichnam');
    expect(calendar.nameOf(day('2026-10-03'))).toBe('Tag der Deutschen Einheit');
    expect(calendar.nameOf(day('2026-10-04'))).toBeUndefined();
  });

  it('is created once per state', () => {
    expect(holidayCalendar('DE-NW')).toBe(holidayCalendar('DE-NW'));
    expect(holidayCalendar('DE-NW')).not.toBe(holidayCalendar(null));
  });
});
