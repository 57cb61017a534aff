import { describe, expect, it } from '@jest/globals';
import Holidays from 'date-holidays';
import { FEDERAL_STATES, type FederalState } from './federal-states.js';
import { publicHolidays } from './holiday-rules.js';
import { formatLocalDate } from './local-date.js';

/** The public holidays of a year from the library `date-holidays`, which also lists bank, school and church holidays. */
function libraryHolidays(library: Holidays, year: number): Readonly<Record<string, string>> {
  const found = library.getHolidays(year, 'de').filter(({ type }) => type === 'public');
  return Object.fromEntries(found.map(({ date, name }) => [date.slice(0, 10), name]));
}

function ownHolidays(state: FederalState | null, year: number): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from(publicHolidays(state, year), ([day, name]) => [formatLocalDate(day), name]));
}

/** All years in which a law came into force or ended, or in which two holidays fall on the same day. */
const YEARS = [1995, 2008, 2016, 2017, 2018, 2019, 2020, 2023, 2025, 2026, 2028];

describe('publicHolidays', () => {
  // The library takes milliseconds per year.
  it.each(FEDERAL_STATES)('of %s match an independent source', (state) => {
    const library = new Holidays('DE', state.slice(3));
    for (const year of YEARS) expect(ownHolidays(state, year)).toEqual(libraryHolidays(library, year));
  });

  it('move with Easter like in an independent source, until 2100', () => {
    const library = new Holidays('DE');
    for (let year = 1995; year <= 2100; year += 1) expect(ownHolidays(null, year)).toEqual(libraryHolidays(library, year));
  });

  // The Wednesday before 23 November. The library knows it only in Saxony.
  it.each([
    [1991, '1991-11-20'],
    [1993, '1993-11-17'],
    [1994, '1994-11-16'],
  ])('had Buß- und Bettag everywhere in %i', (year, date) => {
    for (const state of [null, ...FEDERAL_STATES]) expect(ownHolidays(state, year)[date]).toBe('Buß- und Bettag');
  });

  it('have Buß- und Bettag only in Saxony since 1995', () => {
    const having = (year: number) =>
      [null, ...FEDERAL_STATES].filter((state) => Object.values(ownHolidays(state, year)).includes('Buß- und Bettag'));
    expect(having(1995)).toEqual(['DE-SN']);
    expect(ownHolidays('DE-SN', 1995)['1995-11-22']).toBe('Buß- und Bettag');
  });
});
