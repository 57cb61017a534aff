import type { FederalState } from './federal-states.js';
import { publicHolidays } from './holiday-rules.js';
import { calendarDate } from './local-date.js';
import type { EpochDay } from './records.js';

/** The public holidays of one federal state, or those of the whole country. */
export interface HolidayCalendar {
  /** Whether a day is a public holiday (ArbZG §9). */
  isHoliday(day: EpochDay): boolean;
  /** The German name of the public holiday, undefined on other days. */
  nameOf(day: EpochDay): string | undefined;
}

const calendars = new Map<FederalState | null, HolidayCalendar>();

/**
 * The calendar of a federal state; null means nationwide holidays only. There is one per state and process: a year is computed when
 * first needed and then kept, so that a look-up costs a map access. Municipal holidays (15 August in Catholic parts of DE-BY) are none.
 */
export function holidayCalendar(federalState: FederalState | null): HolidayCalendar {
  let calendar = calendars.get(federalState);
  if (calendar === undefined) {
    calendar = createCalendar(federalState);
    calendars.set(federalState, calendar);
  }
  return calendar;
}

function createCalendar(federalState: FederalState | null): HolidayCalendar {
  const years = new Map<number, ReadonlyMap<EpochDay, string>>();
  const nameOf = (day: EpochDay): string | undefined => {
    const { year } = calendarDate(day);
    let names = years.get(year);
    if (names === undefined) {
      names = publicHolidays(federalState, year);
      years.set(year, names);
    }
    return names.get(day);
  };
  return { nameOf, isHoliday: (day) => nameOf(day) !== undefined };
}
