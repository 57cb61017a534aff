import { AppError } from '@stechuhr/kernel';
import { monthOf, type EpochDay, type YearMonth } from '@stechuhr/worktime';

/**
 * The parts of an employee's records that a query can request. Timespans are returned inside their workdays. With `opening-balances`, all
 * other parts are read from the day on which the overtime account begins.
 */
export type RecordPart =
  'contracts' | 'earlier-contracts' | 'absences' | 'applications' | 'workdays' | 'timespans' | 'edits' | 'opening-balances';

export interface TimeRecordsQuery {
  /** First and last day, both included. */
  readonly fromDay: EpochDay;
  readonly toDay: EpochDay;
  readonly parts: ReadonlySet<RecordPart>;
  readonly signal: AbortSignal;
}

/** Employees that are read together in one step. */
export interface EmployeeSlice {
  readonly employeeIds: readonly string[];
  /** Employees that are read from a day before the first day of the query. */
  readonly starts: Starts;
}

/** The first day from which the records of an employee are needed. */
export interface Start {
  readonly day: EpochDay;
  /**
   * The months since that day that have a document. They are listed, because there may be thousands of years between that day and the
   * query.
   */
  readonly months: readonly YearMonth[];
  /** The size of the workdays of these months in bytes, as far as it is known. */
  readonly bytes: number;
}

/** Starts by employee id. */
export type Starts = ReadonlyMap<string, Start>;

/** The size of the workdays of large months in bytes, by employee and month (`2026-03`). Nearly all institutions have none. */
export type LargeMonths = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * Returns the months to read for an employee, in ascending order: the months around the requested days and, before them, only the months in
 * which anything was tracked.
 */
export function monthsToRead(start: Start | undefined, { fromDay, toDay }: Pick<TimeRecordsQuery, 'fromDay' | 'toDay'>): YearMonth[] {
  const around = monthsAround(fromDay, toDay);
  if (start === undefined) return around;
  const ordinals = new Set([...monthsAround(start.day, start.day), ...start.months, ...around].map(ordinal));
  return [...ordinals].sort((a, b) => a - b).map(ofOrdinal);
}

/** Returns the months of the days and the months next to them, because a workday may begin in one month and end in the next. */
export function monthsAround(fromDay: EpochDay, toDay: EpochDay): YearMonth[] {
  const first = ordinal(monthOf(fromDay)) - 1;
  const last = ordinal(monthOf(toDay)) + 1;
  return Array.from({ length: last - first + 1 }, (_, index) => ofOrdinal(first + index));
}

function ofOrdinal(months: number): YearMonth {
  return { year: Math.floor(months / 12), month: (months % 12) + 1 };
}

function ordinal({ year, month }: YearMonth): number {
  return year * 12 + month - 1;
}

export const FEWER_DAYS = 'Ask for fewer days.';

interface ReadSize {
  readonly bytes: number;
  readonly max: number;
}

/** Returns the error for an employee with too many records to be read together. @param way what the caller can do */
export function tooLargeToRead(employeeId: string, { bytes, max }: ReadSize, way: string): AppError {
  const size = `Employee ${employeeId} has ${String(bytes)} bytes of workdays to be read, of at most ${String(max)}.`;
  return AppError.invalid({ non_field_errors: [`${size} ${way}`] });
}
