import type { EpochDay } from './records.js';
import { calendarDate, epochDay, twoDigits, weekday } from './local-date.js';

/** A calendar month; `month` counts from 1. */
export interface YearMonth {
  readonly year: number;
  readonly month: number;
}

/** Returns the month of a day. */
export function monthOf(day: EpochDay): YearMonth {
  const { year, month } = calendarDate(day);
  return { year, month };
}

/** Returns the first day of a month. */
export function firstDayOfMonth({ year, month }: YearMonth): EpochDay {
  return epochDay(year, month, 1);
}

/** Returns the last day of a month. */
export function lastDayOfMonth({ year, month }: YearMonth): EpochDay {
  return (month === 12 ? epochDay(year + 1, 1, 1) : epochDay(year, month + 1, 1)) - 1;
}

/** Formats a month as `yyyy-mm`, as in the keys of workmonths (docs/rules/records.md#months). */
export function monthKey({ year, month }: YearMonth): string {
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}`;
}

/** An ISO 8601 week: Monday to Sunday, in the year that contains its Thursday. */
export interface IsoWeek {
  readonly year: number;
  readonly week: number;
}

/** Returns the ISO 8601 week of a day; its year may differ from the year of the day. */
export function isoWeek(day: EpochDay): IsoWeek {
  const thursday = day - weekday(day) + 3;
  const { year } = calendarDate(thursday);
  return { year, week: Math.floor((thursday - epochDay(year, 1, 1)) / 7) + 1 };
}
