import Holidays from 'date-holidays';
import type { EpochDay } from './records.js';
import { calendarDate, localDateAt } from './local-date.js';

/** The 16 federal states by ISO 3166-2. */
export const FEDERAL_STATES = [
  'DE-BB',
  'DE-BE',
  'DE-BW',
  'DE-BY',
  'DE-HB',
  'DE-HE',
  'DE-HH',
  'DE-MV',
  'DE-NI',
  'DE-NW',
  'DE-RP',
  'DE-SH',
  'DE-SL',
  'DE-SN',
  'DE-ST',
  'DE-TH',
] as const;

/** A federal state by ISO 3166-2, for example `DE-BY`. */
export type FederalState = (typeof FEDERAL_STATES)[number];

/** Whether a text names one of the 16 federal states (case-sensitive). */
export function isFederalState(value: string): value is FederalState {
  return FEDERAL_STATES.some((state) => state === value);
}

/** The public holidays of one federal state, or those of the whole country. */
export interface HolidayCalendar {
  /** Whether nobody has to work on a day because of a public holiday (ArbZG §9). */
  isHoliday(day: EpochDay): boolean;
  /** The German name of the public holiday, undefined on other days. */
  nameOf(day: EpochDay): string | undefined;
}

const calendars = new Map<FederalState | null, HolidayCalendar>();

/**
 * The calendar of a federal state; null means nationwide holidays only. There is one per state and process: a year is computed when
 * first asked for and then kept, so that a look-up costs a map access. Municipal holidays (15 August in Catholic parts of DE-BY) are none.
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
  const source = federalState === null ? new Holidays('DE') : new Holidays('DE', federalState.slice(3));
  const years = new Map<number, ReadonlyMap<EpochDay, string>>();
  const nameOf = (day: EpochDay): string | undefined => {
    const { year } = calendarDate(day);
    let names = years.get(year);
    if (names === undefined) {
      names = publicHolidays(source, year);
      years.set(year, names);
    }
    return names.get(day);
  };
  return { nameOf, isHoliday: (day) => nameOf(day) !== undefined };
}

/** The library also lists bank, school and church days; only the public ones are free by law. */
function publicHolidays(source: Holidays, year: number): ReadonlyMap<EpochDay, string> {
  const names = new Map<EpochDay, string>();
  for (const holiday of source.getHolidays(year, 'de')) {
    const day = localDateAt(holiday.date);
    if (holiday.type === 'public' && day !== undefined) names.set(day, holiday.name);
  }
  return names;
}
