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

/** 0001-01-01 and 9999-12-31, as days since 1970-01-01: what a date of the API can write. */
const DAYS = { first: -719_162, last: 2_932_896 } as const;

/** Returns a day of a request. @throws AppError `invalid` naming the field, if no date can write the day */
export function requireDay(field: string, day: number): number {
  if (day < DAYS.first || day > DAYS.last) throw AppError.invalid({ [field]: ['Must be a day of the years 0001 to 9999.'] });
  return day;
}
