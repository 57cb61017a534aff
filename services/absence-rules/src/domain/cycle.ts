import { calendarDate, type DateRange, type EpochDay } from '@stechuhr/worktime';
import { dayInYear, type MonthDay } from './calendar.js';

/** The cycle that starts in a year; it ends on the day before the next one. */
export function cycleOf(start: MonthDay, year: number): DateRange {
  return { first: dayInYear(start, year), last: dayInYear(start, year + 1) - 1 };
}

/** The year in which the cycle of a day starts. */
export function cycleYearOf(start: MonthDay, day: EpochDay): number {
  const { year } = calendarDate(day);
  return day >= dayInYear(start, year) ? year : year - 1;
}
