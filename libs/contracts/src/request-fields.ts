import { AppError, PAGE_SIZE, type FieldErrors, type PageRequest } from '@stechuhr/kernel';

/**
 * Returns a request for a page. Its bounds are part of the contract: MongoDB takes a limit of 0 for none, and fails for a negative offset.
 *
 * @throws AppError `invalid` naming `limit` and `offset`
 */
export function requirePage<T extends PageRequest>(request: T): T {
  const { limit, offset } = request;
  const problems: FieldErrors = {
    ...(limit < 1 && { limit: ['Ensure this value is greater than or equal to 1.'] }),
    ...(limit > PAGE_SIZE.max && { limit: [`Ensure this value is less than or equal to ${String(PAGE_SIZE.max)}.`] }),
    ...(offset < 0 && { offset: ['Ensure this value is greater than or equal to 0.'] }),
  };
  if (Object.keys(problems).length > 0) throw AppError.invalid(problems);
  return request;
}

/**
 * Checks numbers of things: an `int64` can be negative, and a number of things cannot.
 *
 * @param counts the numbers by the names of their fields
 * @throws AppError `invalid` naming the fields
 */
export function requireCounts(counts: Readonly<Record<string, number>>): void {
  const negative = Object.entries(counts).filter(([, count]) => count < 0);
  if (negative.length === 0) return;
  throw AppError.invalid(Object.fromEntries(negative.map(([field]) => [field, ['Ensure this value is greater than or equal to 0.']])));
}

/** 9999-12-31T23:59:59Z, the last second that four digits of a year can write. */
const LAST_SECOND = 253_402_300_799;

/** Returns an instant of a request, in seconds since 1970. @throws AppError `invalid` naming the field */
export function requireInstant(field: string, second: number): number {
  if (second < 0 || second > LAST_SECOND) throw AppError.invalid({ [field]: ['Must be an instant of the years 1970 to 9999.'] });
  return second;
}

/** 0001-01-01 and 9999-12-31, as days since 1970-01-01: what a date of the API can write. */
const DAYS = { first: -719_162, last: 2_932_896 } as const;

/** Returns a day of a request. @throws AppError `invalid` naming the field, if no date can write the day */
export function requireDay(field: string, day: number): number {
  if (day < DAYS.first || day > DAYS.last) throw AppError.invalid({ [field]: ['Must be a day of the years 0001 to 9999.'] });
  return day;
}
