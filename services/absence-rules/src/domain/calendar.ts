import { calendarDate, epochDay, lastDayOfMonth, type DateRange, type EpochDay } from '@stechuhr/worktime';

/** A day of the year. */
export interface MonthDay {
  readonly month: number;
  readonly day: number;
}

/** The date that stands for "never": 9999-12-31. */
export const NEVER: EpochDay = epochDay(9999, 12, 31);

/** Returns the day in a year. 02-29 means 28 February in years that are not leap years. */
export function dayInYear({ month, day }: MonthDay, year: number): EpochDay {
  return dayInMonth({ year, month }, day);
}

/** Returns the day with the same number, `months` months after the month in a year, or the last day of that month if it has no such day. */
export function monthsLater({ month, day }: MonthDay, year: number, months: number): EpochDay {
  return dayInMonth(shiftMonth({ year, month }, months), day);
}

/** Returns the number of full months from the first day on. A month that begins on the 15th ends on the 14th (BGB §187(2), §188(2)). */
export function fullMonths({ first, last }: DateRange): number {
  const from = calendarDate(first);
  const to = calendarDate(last);
  const months = (to.year - from.year) * 12 + to.month - from.month;
  // The last month may have ended in the month of `last`, or may be incomplete.
  if (last >= endOfMonths(first, months + 1)) return months + 1;
  return last >= endOfMonths(first, months) ? months : months - 1;
}

/** Returns the cycle that starts in a year. It ends on the day before the next one. */
export function cycleOf(start: MonthDay, year: number): DateRange {
  return { first: dayInYear(start, year), last: dayInYear(start, year + 1) - 1 };
}

/** Returns the year in which the cycle that contains a day starts. */
export function cycleYearOf(start: MonthDay, day: EpochDay): number {
  const { year } = calendarDate(day);
  return day >= dayInYear(start, year) ? year : year - 1;
}

export function overlapOf(a: DateRange, b: DateRange): DateRange {
  return { first: Math.max(a.first, b.first), last: Math.min(a.last, b.last) };
}

export function isEmptyRange({ first, last }: DateRange): boolean {
  return first > last;
}

/**
 * Returns the last day of a period of months: the day before the one with the same number, or the last day of a month that lacks it (BGB
 * §188(2), (3)).
 */
function endOfMonths(first: EpochDay, months: number): EpochDay {
  const { year, month, day } = calendarDate(first);
  return day === 1 ? lastDayOfMonth(shiftMonth({ year, month }, months - 1)) : dayInMonth(shiftMonth({ year, month }, months), day - 1);
}

interface Month {
  readonly year: number;
  readonly month: number;
}

function shiftMonth({ year, month }: Month, months: number): Month {
  const shifted = year * 12 + month - 1 + months;
  return { year: Math.floor(shifted / 12), month: (shifted % 12) + 1 };
}

function dayInMonth(month: Month, day: number): EpochDay {
  return Math.min(epochDay(month.year, month.month, day), lastDayOfMonth(month));
}
