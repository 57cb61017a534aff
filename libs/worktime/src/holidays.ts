import type { FederalState } from './federal-states.js';
import { publicHolidays } from './holiday-rules.js';
import { calendarDate, epochDay, weekday } from './local-date.js';
import type { EpochDay } from './records.js';

/** The public holidays of a federal state, or the nationwide ones. */
export interface HolidayCalendar {
  /** Whether a day is a public holiday (ArbZG §9). */
  isHoliday(day: EpochDay): boolean;
  /** Returns the German name of a public holiday; undefined on other days. */
  nameOf(day: EpochDay): string | undefined;
  /** Returns how many Mondays, Tuesdays, … Sundays of a year are not public holidays. */
  ordinaryDaysOf(year: number): readonly number[];
}

/** Maximum number of cached years: more than anybody works in, but a limit for arbitrary input. */
const YEARS_KEPT = 200;

const calendars = new Map<FederalState | null, HolidayCalendar>();

/**
 * Returns the calendar of a federal state; null means nationwide holidays only. There is one calendar per state and process; years are
 * computed on first use and cached, so that a lookup takes one map access. Municipal holidays (15 August in Catholic parts of DE-BY) are
 * not included.
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
  const ordinaryDays = new Map<number, readonly number[]>();
  const nameOf = (day: EpochDay): string | undefined => {
    const { year } = calendarDate(day);
    let names = years.get(year);
    if (names === undefined) {
      names = publicHolidays(federalState, year);
      if (years.size >= YEARS_KEPT) years.clear();
      years.set(year, names);
    }
    return names.get(day);
  };
  return {
    nameOf,
    isHoliday: (day) => nameOf(day) !== undefined,
    ordinaryDaysOf(year) {
      const counted = ordinaryDays.get(year) ?? countOrdinaryDays(year, publicHolidays(federalState, year).keys());
      ordinaryDays.set(year, counted);
      return counted;
    },
  };
}

/**
 * Counts weekdays that are not holidays. Every weekday occurs 52 times; that of 1 January, and in a leap year that of 2 January, once more.
 */
function countOrdinaryDays(year: number, holidays: Iterable<EpochDay>): readonly number[] {
  const first = epochDay(year, 1, 1);
  const counts = Array.from({ length: 7 }, () => 52);
  const add = (day: EpochDay, by: number): void => void (counts[weekday(day)] = (counts[weekday(day)] ?? 0) + by);
  for (let day = first; day < epochDay(year + 1, 1, 1) - 52 * 7; day += 1) add(day, 1);
  for (const day of holidays) add(day, -1);
  return counts;
}
