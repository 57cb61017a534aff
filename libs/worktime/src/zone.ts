import type { EpochDay, EpochSecond } from './records.js';
import { epochDay, weekday } from './local-date.js';

const FIRST_YEAR = 1970;
const LAST_YEAR = 9999;
const STANDARD_OFFSET = 3600;
const SUMMER_OFFSET = 7200;
const DAY_SECONDS = 86_400;
/** Mean length of a Gregorian year. */
const YEAR_SECONDS = 31_556_952;

const springs = new Float64Array(LAST_YEAR - FIRST_YEAR + 1);
const autumns = new Float64Array(LAST_YEAR - FIRST_YEAR + 1);
for (let year = FIRST_YEAR; year <= LAST_YEAR; year += 1) {
  springs[year - FIRST_YEAR] = summerTimeStart(year);
  autumns[year - FIRST_YEAR] = summerTimeEnd(year);
}

/**
 * Returns when summer time begins: 01:00 UTC on the last Sunday of March (directive 2000/84/EC; in Germany since 1981, and on 6 April in
 * 1980).
 */
function summerTimeStart(year: number): EpochSecond {
  if (year < 1980) return Infinity;
  return (year === 1980 ? epochDay(1980, 4, 6) : lastSunday(year, 3)) * DAY_SECONDS + 3600;
}

/** Returns when summer time ends: 01:00 UTC on the last Sunday of October (September before 1996). */
function summerTimeEnd(year: number): EpochSecond {
  return year < 1980 ? -Infinity : lastSunday(year, year < 1996 ? 9 : 10) * DAY_SECONDS + 3600;
}

/** Returns the last Sunday of March, September or October. */
function lastSunday(year: number, month: 3 | 9 | 10): EpochDay {
  const last = epochDay(year, month, month === 9 ? 30 : 31);
  return last - ((weekday(last) + 1) % 7);
}

/**
 * Returns the offset of Europe/Berlin from UTC at an instant in seconds: 3600 or 7200 (1970 to 9999). The row of the table is found by the
 * mean length of a year. Around New Year, it may be wrong by one, but then both rows have winter time.
 */
export function offsetAt(instant: EpochSecond): number {
  const row = Math.floor(instant / YEAR_SECONDS);
  const spring = springs[row];
  const autumn = autumns[row];
  if (spring === undefined || autumn === undefined) return STANDARD_OFFSET;
  return instant >= spring && instant < autumn ? SUMMER_OFFSET : STANDARD_OFFSET;
}

/**
 * Returns the instant of a local time, `secondOfDay` seconds after midnight on the clock. A repeated time (October) gives its first
 * occurrence; a skipped one (March) is read as if the clocks had not yet changed: 02:30 gives the instant at which clocks show 03:30.
 */
export function instantAt(day: EpochDay, secondOfDay: number): EpochSecond {
  const clock = day * DAY_SECONDS + secondOfDay;
  const inSummer = clock - SUMMER_OFFSET;
  return offsetAt(inSummer) === SUMMER_OFFSET ? inSummer : clock - STANDARD_OFFSET;
}

/** Returns the instants at which clocks show a local time: none in the skipped hour, two in the repeated one, earlier first. */
export function instantsAt(day: EpochDay, secondOfDay: number): readonly EpochSecond[] {
  const clock = day * DAY_SECONDS + secondOfDay;
  const found: EpochSecond[] = [];
  if (offsetAt(clock - SUMMER_OFFSET) === SUMMER_OFFSET) found.push(clock - SUMMER_OFFSET);
  if (offsetAt(clock - STANDARD_OFFSET) === STANDARD_OFFSET) found.push(clock - STANDARD_OFFSET);
  return found;
}

/** Returns the local midnight at which a day begins. It exists exactly once, because clocks never changed at midnight. */
export function startOfLocalDay(day: EpochDay): EpochSecond {
  return instantAt(day, 0);
}

/** Returns the local date of an instant. */
export function localDayOf(instant: EpochSecond): EpochDay {
  return Math.floor((instant + offsetAt(instant)) / DAY_SECONDS);
}
