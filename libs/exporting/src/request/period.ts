import { calendarDate, epochDay, parseLocalDate, type DateRange } from '@stechuhr/worktime';
import type { Report } from '../problems.js';

const MAX_SYNC_DAYS = 366;
const MAX_YEARS = 5;
/** Stands in for a range that was reported. */
const NOTHING: DateRange = { first: 0, last: 0 };

const FORM = 'The range must have the form YYYY-MM-DD|YYYY-MM-DD.';

/**
 * Reads the two sides of a `daterange`: both dates, in order, at most five years to the day, and at most 366 days unless the export runs in the
 * background. Both ends count.
 */
export function readPeriod(sides: readonly string[] | null, isAsync: boolean, report: Report): DateRange {
  if (sides === null) {
    report('This field is required.');
    return NOTHING;
  }
  const [start = '', end = ''] = sides;
  if (sides.length !== 2 || start === '' || end === '') {
    report(FORM);
    return NOTHING;
  }
  const first = parseLocalDate(start);
  const last = parseLocalDate(end);
  if (first === undefined || last === undefined) {
    report('Date has wrong format. Use one of these formats instead: YYYY-MM-DD.');
    return NOTHING;
  }
  const problem = lengthProblem({ first, last }, isAsync);
  if (problem !== undefined) report(problem);
  return { first, last };
}

function lengthProblem({ first, last }: DateRange, isAsync: boolean): string | undefined {
  if (last < first) return 'The end of the range must not be before its start.';
  const { year, month, day } = calendarDate(first);
  // Of 29 February the day after five years is 1 March, which day 29 of a shorter February comes to as well.
  if (last >= epochDay(year + MAX_YEARS, month, day)) return 'The range must not be longer than five years.';
  if (last - first + 1 > MAX_SYNC_DAYS && !isAsync) return 'A range of more than 366 days needs is_async=true.';
  return undefined;
}
