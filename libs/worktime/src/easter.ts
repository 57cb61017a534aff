import { epochDay } from './local-date.js';
import type { EpochDay } from './records.js';

/** Returns Easter Sunday of a Gregorian year (algorithm of Meeus, Jones and Butcher). */
export function easterSunday(year: number): EpochDay {
  const century = Math.floor(year / 100);
  const yearOfCentury = year % 100;
  const goldenNumber = year % 19;
  const moonShift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * goldenNumber + century - Math.floor(century / 4) - moonShift + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7;
  const correction = Math.floor((goldenNumber + 11 * epact + 22 * toSunday) / 451);
  return epochDay(year, 3, 22) + epact + toSunday - 7 * correction;
}
