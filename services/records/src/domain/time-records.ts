import { monthOf, type EpochDay, type YearMonth } from '@stechuhr/worktime';

/**
 * What can be read of an employee; timespans are read with their workdays. With `opening-balances`, everything else is read from the start of the
 * overtime account on.
 */
export type RecordPart =
  'contracts' | 'earlier-contracts' | 'absences' | 'applications' | 'workdays' | 'timespans' | 'edits' | 'opening-balances';

export interface TimeRecordsQuery {
  /** Both inclusive. */
  readonly fromDay: EpochDay;
  readonly toDay: EpochDay;
  readonly parts: ReadonlySet<RecordPart>;
  readonly signal: AbortSignal;
}

/** Some employees whose records are read together. */
export interface EmployeeSlice {
  readonly employeeIds: readonly string[];
  /** Employees that are read from an earlier day than the requested one. */
  readonly starts: Starts;
}

/** From where on the records of an employee are needed. */
export interface Start {
  readonly day: EpochDay;
  /** The months from there on that have tracked time: years may lie between them and the requested days. */
  readonly months: readonly YearMonth[];
}

/** By employee. */
export type Starts = ReadonlyMap<string, Start>;

/** Sizes of the large months, by employee and month (`2026-03`). Nearly all institutions have none. */
export type LargeMonths = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The months of an employee to read, in order: those around the requested days, and of earlier months only those with data. */
export function monthsToRead(start: Start | undefined, { fromDay, toDay }: Pick<TimeRecordsQuery, 'fromDay' | 'toDay'>): YearMonth[] {
  const around = monthsAround(fromDay, toDay);
  if (start === undefined) return around;
  const ordinals = new Set([...monthsAround(start.day, start.day), ...start.months, ...around].map(ordinal));
  return [...ordinals].sort((a, b) => a - b).map(ofOrdinal);
}

/** The months of the given days and their neighbours, since a workday may begin in one month and end in the next. */
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
