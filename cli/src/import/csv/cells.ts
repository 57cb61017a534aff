import { addDays, formatLocalDate, parseLocalDate } from '@stechuhr/worktime';
import type { WorkdayMapping } from './mapping.js';

export type DateFormat = WorkdayMapping['formats']['date'];
export type DurationFormat = WorkdayMapping['formats']['duration'];

const MAX_TEXT = 255;
const MAX_REMARK = 10_000;
const FIRST_YEAR = 1900;
const LAST_YEAR = 2199;
const DAY_SECONDS = 86_400;
const HOUR = 3_600;
const MINUTE = 60;

const dates: Readonly<Record<DateFormat, RegExp>> = {
  'dd.mm.yyyy': /^(?<d>\d{1,2})\.(?<m>\d{1,2})\.(?<y>\d{4})$/,
  'dd.mm.yy': /^(?<d>\d{1,2})\.(?<m>\d{1,2})\.(?<y>\d{2})$/,
  'yyyy-mm-dd': /^(?<y>\d{4})-(?<m>\d{2})-(?<d>\d{2})$/,
  'dd/mm/yyyy': /^(?<d>\d{1,2})\/(?<m>\d{1,2})\/(?<y>\d{4})$/,
  'mm/dd/yyyy': /^(?<m>\d{1,2})\/(?<d>\d{1,2})\/(?<y>\d{4})$/,
  yyyymmdd: /^(?<y>\d{4})(?<m>\d{2})(?<d>\d{2})$/,
};
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/;

/** Reports a cell that cannot be read. The message completes a sentence that begins with the column and the value. */
export class CellProblem extends Error {}

/**
 * Reads a date as `YYYY-MM-DD`.
 * @throws CellProblem
 */
export function readDate(text: string, format: DateFormat): string {
  const { y = '', m = '', d = '' } = dates[format].exec(text)?.groups ?? {};
  const date = `${y.length === 2 ? `20${y}` : y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`;
  if (y === '' || parseLocalDate(date) === undefined) throw new CellProblem(`is no date of the form ${format}`);
  const year = Number(date.slice(0, 4));
  if (year < FIRST_YEAR || year > LAST_YEAR) {
    throw new CellProblem(`is not a date of the years ${String(FIRST_YEAR)} to ${String(LAST_YEAR)}`);
  }
  return date;
}

/**
 * Reads a time as seconds since midnight, up to 24:00.
 * @throws CellProblem
 */
export function readTime(text: string): number {
  const [, hours = '', minutes = '', seconds = '0'] = CLOCK.exec(text) ?? [];
  const time = Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds);
  if (hours === '' || Number(minutes) >= MINUTE || Number(seconds) >= MINUTE || time > DAY_SECONDS) {
    throw new CellProblem('is no time such as 7:00 or 16:30');
  }
  return time;
}

/** A local time: a date and the seconds since its midnight. */
export interface LocalPoint {
  readonly date: string;
  readonly seconds: number;
}

/**
 * Reads a time of the given day, or a date with a time.
 * @throws CellProblem
 */
export function readPoint(text: string, date: string, format: DateFormat): LocalPoint & { readonly isDated: boolean } {
  const [day = '', time, ...others] = text.split(/[ T]+/u);
  if (time === undefined) return { date, seconds: readTime(day), isDated: false };
  // Such as PM or an offset: without it, the time would be read as another one.
  if (others.length > 0) throw new CellProblem('has more than a date and a time');
  return { date: readDate(day, format), seconds: readTime(time), isDated: true };
}

interface DurationTerms {
  readonly format: DurationFormat;
  readonly decimal: ',' | '.';
}

/**
 * Reads a duration as whole seconds, up to 24 hours.
 * @throws CellProblem
 */
export function readDuration(text: string, { format, decimal }: DurationTerms): number {
  if (format === 'hh:mm') return readLength(text);
  const number = decimal === ',' ? /^\d{1,4}(,\d{1,6})?$/ : /^\d{1,4}(\.\d{1,6})?$/;
  if (!number.test(text)) throw new CellProblem(`is no number of ${format} such as ${format === 'hours' ? `7${decimal}5` : '30'}`);
  return withinDay(Math.round(Number(text.replace(',', '.')) * (format === 'hours' ? HOUR : MINUTE)));
}

function readLength(text: string): number {
  const [, hours = '', minutes = '', seconds = '0'] = CLOCK.exec(text) ?? [];
  if (hours === '' || Number(minutes) >= MINUTE || Number(seconds) >= MINUTE) throw new CellProblem('is no duration such as 7:30');
  return withinDay(Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds));
}

function withinDay(seconds: number): number {
  if (seconds > DAY_SECONDS) throw new CellProblem('is more than 24 hours');
  return seconds;
}

/**
 * Reads a name, label or number.
 * @throws CellProblem
 */
export function readText(text: string, maxCharacters = MAX_TEXT): string {
  if ([...text].length > maxCharacters) throw new CellProblem(`has more than ${String(maxCharacters)} characters`);
  if (text.includes('\0')) throw new CellProblem('contains a NUL character');
  return text;
}

/**
 * Reads a comment.
 * @throws CellProblem
 */
export function readRemark(text: string): string {
  return readText(text, MAX_REMARK);
}

/** `YYYY-MM-DDTHH:MM:SS`; seconds beyond midnight become a later date. */
export function formatPoint({ date, seconds }: LocalPoint): string {
  const day = parseLocalDate(date) ?? 0;
  const rest = seconds % DAY_SECONDS;
  const two = (value: number) => String(value).padStart(2, '0');
  const time = `${two(Math.floor(rest / HOUR))}:${two(Math.floor((rest % HOUR) / MINUTE))}:${two(rest % MINUTE)}`;
  return `${formatLocalDate(addDays(day, Math.floor(seconds / DAY_SECONDS)))}T${time}`;
}

/** Seconds between two local times, ignoring daylight saving. */
export function secondsBetween(from: LocalPoint, to: LocalPoint): number {
  return ((parseLocalDate(to.date) ?? 0) - (parseLocalDate(from.date) ?? 0)) * DAY_SECONDS + to.seconds - from.seconds;
}
