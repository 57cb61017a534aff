import { AppError } from '@stechuhr/kernel';
import { formatLocalDate, formatLocalDateTime } from '@stechuhr/worktime';

/** A part of a message that is always there. */
export function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new AppError('internal', 'Internal error.', { cause: new Error(`The answer has no ${what}.`) });
  return value;
}

/** A day since 1970-01-01 as a date, null where there is none. */
export function date(day: number | undefined): string | null {
  return day === undefined ? null : formatLocalDate(day);
}

/** An instant in seconds as local time, null where there is none. */
export function local(instant: number | undefined): string | null {
  return instant === undefined ? null : formatLocalDateTime(instant);
}

/** The API's word for a value of an enumeration. */
export function wordFor(words: Readonly<Record<number, string>>, value: number): string {
  return present(words[value], `known word for ${String(value)}`);
}
