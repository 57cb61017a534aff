import type { FederalState } from './federal-states.js';
import { publicHolidays } from './holiday-rules.js';
import { calendarDate, epochDay, weekday } from './local-date.js';
import type { EpochDay } from './records.js';

/** The public holidays of one federal state, or those of the whole country. */
export interface HolidayCalendar {
  /** Whether a day is a public holiday (ArbZG §9). */
  isHoliday(day: EpochDay): boolean;
  /** The German name of the public holiday, undefined on other days. */
  nameOf(day: EpochDay): string | undefined;
  /** How many Mondays, Tuesdays, … Sundays of a year are no public holidays. */
  ordinaryDaysOf(year: number): readonly number[];
}

/** Years whose holidays a calendar keeps: more than anybody works in, fewer than there are. */
const YEARS_KEPT = 200;

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

/** Every weekday comes 52 times; those of the first day, and in a leap year of the second, once more. */
function countOrdinaryDays(year: number, holidays: Iterable<EpochDay>): readonly number[] {
  const first = epochDay(year, 1, 1);
  const counts = Array.from({ length: 7 }, () => 52);
  const add = (day: EpochDay, by: number): void => void (counts[weekday(day)] = (counts[weekday(day)] ?? 0) + by);
  for (let day = first; day < epochDay(year + 1, 1, 1) - 52 * 7; day += 1) add(day, 1);
  for (const day of holidays) add(day, -1);
  return counts;
}
