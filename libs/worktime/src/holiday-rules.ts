import { easterSunday } from './easter.js';
import type { FederalState } from './federal-states.js';
import { epochDay, weekday } from './local-date.js';
import type { EpochDay } from './records.js';

/** A legal public holiday. */
interface HolidayRule {
  /** German name. */
  readonly name: string;
  readonly dayOf: (year: number) => EpochDay;
  /** Null means nationwide. */
  readonly states: readonly FederalState[] | null;
  /** First and last year; unbounded if omitted. */
  readonly from?: number;
  readonly to?: number;
}

type Where = Omit<HolidayRule, 'name' | 'dayOf'>;

const EVERYWHERE: Where = { states: null };

function fixed(name: string, [month, day]: readonly [month: number, day: number], where: Where = EVERYWHERE): HolidayRule {
  return { name, dayOf: (year) => epochDay(year, month, day), ...where };
}

function aroundEaster(name: string, days: number, where: Where = EVERYWHERE): HolidayRule {
  return { name, dayOf: (year) => easterSunday(year) + days, ...where };
}

/**
 * The holiday laws of the federal states since 1995; of earlier laws, only that of Buß- und Bettag is included. If two holidays fall on the
 * same day, the later entry provides the name.
 */
const rules: readonly HolidayRule[] = [
  fixed('Neujahr', [1, 1]),
  fixed('Heilige Drei Könige', [1, 6], { states: ['DE-BW', 'DE-BY', 'DE-ST'] }),
  fixed('Internationaler Frauentag', [3, 8], { states: ['DE-BE'], from: 2019 }),
  fixed('Internationaler Frauentag', [3, 8], { states: ['DE-MV'], from: 2023 }),
  fixed('Maifeiertag', [5, 1]),
  fixed('Tag der Befreiung (75. Jahrestag)', [5, 8], { states: ['DE-BE'], from: 2020, to: 2020 }),
  fixed('Tag der Befreiung (80. Jahrestag)', [5, 8], { states: ['DE-BE'], from: 2025, to: 2025 }),
  fixed('75-jähriges Jubiläum des Volksaufstands in der DDR', [6, 17], { states: ['DE-BE'], from: 2028, to: 2028 }),
  // In Bavaria only in municipalities with more Catholics than Protestants, so it is not a statewide holiday.
  fixed('Mariä Himmelfahrt', [8, 15], { states: ['DE-SL'] }),
  fixed('Weltkindertag', [9, 20], { states: ['DE-TH'], from: 2019 }),
  fixed('Tag der Deutschen Einheit', [10, 3]),
  fixed('Reformationstag', [10, 31], { states: ['DE-BB', 'DE-MV', 'DE-SN', 'DE-ST', 'DE-TH'] }),
  fixed('Reformationstag', [10, 31], { states: null, from: 2017, to: 2017 }),
  fixed('Reformationstag', [10, 31], { states: ['DE-HB', 'DE-HH', 'DE-NI', 'DE-SH'], from: 2018 }),
  fixed('Allerheiligen', [11, 1], { states: ['DE-BW', 'DE-BY', 'DE-NW', 'DE-RP', 'DE-SL'] }),
  // Abolished in 1995, except in Saxony, to finance long-term care insurance (SGB XI §58).
  { name: 'Buß- und Bettag', dayOf: repentanceDay, states: null, to: 1994 },
  { name: 'Buß- und Bettag', dayOf: repentanceDay, states: ['DE-SN'], from: 1995 },
  fixed('1. Weihnachtstag', [12, 25]),
  fixed('2. Weihnachtstag', [12, 26]),
  aroundEaster('Karfreitag', -2),
  aroundEaster('Ostersonntag', 0, { states: ['DE-BB'] }),
  aroundEaster('Ostermontag', 1),
  aroundEaster('Christi Himmelfahrt', 39),
  aroundEaster('Pfingstsonntag', 49, { states: ['DE-BB'] }),
  aroundEaster('Pfingstmontag', 50),
  aroundEaster('Fronleichnam', 60, { states: ['DE-BW', 'DE-BY', 'DE-HE', 'DE-NW', 'DE-RP', 'DE-SL'] }),
];

/** Returns the public holidays of a year with their German names. */
export function publicHolidays(federalState: FederalState | null, year: number): ReadonlyMap<EpochDay, string> {
  const applies = ({ states, from = -Infinity, to = Infinity }: HolidayRule): boolean =>
    year >= from && year <= to && (states === null || (federalState !== null && states.includes(federalState)));
  return new Map(rules.filter(applies).map(({ name, dayOf }) => [dayOf(year), name]));
}

const WEDNESDAY = 2;

/** Returns the Wednesday before 23 November. */
function repentanceDay(year: number): EpochDay {
  const last = epochDay(year, 11, 22);
  return last - ((weekday(last) - WEDNESDAY + 7) % 7);
}
