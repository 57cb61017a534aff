import { calendarDate, parseLocalDate, parseLocalDateTime, type EpochDay, type EpochSecond, type LocalInstant } from '@stechuhr/worktime';
import { FIRST_YEAR, LAST_YEAR } from '../bounds.js';
import { nullable, orNull, required, type Read } from './reader.js';
import { fields } from './texts.js';

export const date = fields.date().transform(toDay);
export const optionalDate = orNull(date);

/** A date of employment, work or absence, in the supported range of years. */
export const nearDate = date.refine(
  (day) => {
    const { year } = calendarDate(day);
    return year >= FIRST_YEAR && year <= LAST_YEAR;
  },
  { error: `must be a date of the years ${String(FIRST_YEAR)} to ${String(LAST_YEAR)}` },
);

function toDay(text: string): EpochDay {
  const day = parseLocalDate(text);
  if (day === undefined) throw new Error(`${text} passed as a date.`);
  return day;
}

function readLocalDateTime(value: unknown): Read<LocalInstant> {
  const parsed = typeof value === 'string' ? parseLocalDateTime(value) : { kind: 'malformed' as const };
  switch (parsed.kind) {
    case 'ok':
      return { value: parsed };
    case 'offset':
      return { problem: 'must be local time without Z or UTC offset' };
    case 'early':
      return { problem: 'must not be before 1970' };
    case 'nonexistent':
      return { problem: 'does not exist in Germany: clocks go forward over that hour' };
    case 'malformed':
      return { problem: 'must be a local time like 2026-03-31T08:00:00' };
  }
}

/** A local time. An ambiguous one in October (when clocks go back) is resolved together with its start. */
const localForm = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2})?$',
  description: 'local time in Germany without Z or UTC offset, like 2026-03-31T08:00:00',
};
export const localDateTime = required(readLocalDateTime, localForm);
export const optionalLocalDateTime = nullable(readLocalDateTime, localForm);

/** A local time without a start to compare with: an ambiguous one in October is the first of both instants. */
export const instant = localDateTime.transform((local) => storedInstant(local.instant));

/** Instants are stored as dates, so that people can read them in the database. */
export function storedInstant(second: EpochSecond): Date {
  return new Date(second * 1000);
}

/** `MM-DD`, the day on which a yearly cycle begins or something expires; `02-29` is allowed. */
export const monthDay = required(
  (value) =>
    typeof value === 'string' && value.length === 5 && parseLocalDate(`2000-${value}`) !== undefined
      ? { value }
      : { problem: 'must be a day of the year like 01-31' },
  { type: 'string', pattern: '^\\d{2}-\\d{2}$', description: 'day of the year, like 01-31' },
);
