import type { EpochDay } from './records.js';

/** A date of the proleptic Gregorian calendar; months and days count from 1. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/**
 * Returns the days since 1970-01-01 of an existing calendar date. Counting the days of a 400-year era from 1 March makes a table of months
 * unnecessary.
 */
export function epochDay(year: number, month: number, day: number): EpochDay {
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
}

/** Returns the calendar date of a day; the inverse of `epochDay`. */
export function calendarDate(day: EpochDay): CalendarDate {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  };
}

/** Returns the day `days` later (earlier if negative). Days are calendar days, so clock changes have no effect. */
export function addDays(day: EpochDay, days: number): EpochDay {
  return day + days;
}

/** Returns 0 for Monday to 6 for Sunday. */
export function weekday(day: EpochDay): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** Returns the number written as `count` ASCII digits at `at`, or NaN. */
export function digitsAt(text: string, at: number, count: number): number {
  let value = 0;
  for (let index = at; index < at + count; index += 1) {
    const digit = text.charCodeAt(index) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Parses the first ten characters of a text as `YYYY-MM-DD`; undefined if there is no such date (years 0001 to 9999). */
export function localDateAt(text: string): EpochDay | undefined {
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return undefined;
  const year = digitsAt(text, 0, 4);
  const month = digitsAt(text, 5, 2);
  const day = digitsAt(text, 8, 2);
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= 31)) return undefined;
  const found = epochDay(year, month, day);
  return day <= 28 || calendarDate(found).day === day ? found : undefined;
}

/** Parses exactly `YYYY-MM-DD`, an existing date of the years 0001 to 9999; undefined for anything else. */
export function parseLocalDate(text: string): EpochDay | undefined {
  return text.length === 10 ? localDateAt(text) : undefined;
}

const CACHE_SIZE = 4096;
const cachedDays = new Float64Array(CACHE_SIZE).fill(Number.NaN);
const cachedDates = new Array<string>(CACHE_SIZE).fill('');

/**
 * Formats a date as `YYYY-MM-DD` (years 0001 to 9999). About eleven years of dates are cached, because the rows of an export repeat the
 * same few hundred dates.
 */
export function formatLocalDate(day: EpochDay): string {
  const slot = day & (CACHE_SIZE - 1);
  if (cachedDays[slot] !== day) {
    cachedDates[slot] = writeDate(day);
    cachedDays[slot] = day;
  }
  return cachedDates[slot] ?? '';
}

function writeDate(day: EpochDay): string {
  const date = calendarDate(day);
  return `${String(date.year).padStart(4, '0')}-${twoDigits(date.month)}-${twoDigits(date.day)}`;
}

/** Formats 7 as `07`. */
export function twoDigits(value: number): string {
  return value < 10 ? `0${String(value)}` : String(value);
}
