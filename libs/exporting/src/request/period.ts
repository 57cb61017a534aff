import { rangeProblem, stockMessages } from '@stechuhr/kernel';
import { calendarDate, epochDay, parseLocalDate, type DateRange } from '@stechuhr/worktime';
import type { Report } from '../problems.js';

const MAX_SYNC_DAYS = 366;
const MAX_YEARS = 5;
/** Placeholder for an invalid range. */
const NOTHING: DateRange = { first: 0, last: 0 };

/**
 * Reads the two sides of a `daterange`: both must be dates, in order. The range is inclusive; it has at most five years, and at most 366
 * days unless the export runs in the background.
 */
export function readPeriod(sides: readonly string[] | null, isAsync: boolean, report: Report): DateRange {
  const range = rangeOf(sides ?? []);
  const problem = sides === null ? stockMessages.required : (rangeProblem(sides, 'both') ?? (range && lengthProblem(range, isAsync)));
  if (problem !== undefined) report(problem);
  return range ?? NOTHING;
}

function rangeOf([start = '', end = '']: readonly string[]): DateRange | undefined {
  const first = parseLocalDate(start);
  const last = parseLocalDate(end);
  return first === undefined || last === undefined ? undefined : { first, last };
}

function lengthProblem({ first, last }: DateRange, isAsync: boolean): string | undefined {
  const { year, month, day } = calendarDate(first);
  // Five years after 29 February is 1 March; so is day 29 of February in a non-leap year.
  if (last >= epochDay(year + MAX_YEARS, month, day)) return 'The range must not be longer than five years.';
  if (last - first + 1 > MAX_SYNC_DAYS && !isAsync) return 'A range of more than 366 days needs is_async=true.';
  return undefined;
}
