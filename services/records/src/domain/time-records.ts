import { monthOf, type EpochDay, type YearMonth } from '@stechuhr/worktime';

/**
 * What can be read of an employee; timespans come inside their workdays. With `opening-balances` all else reaches back to where the account
 * of working time begins.
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

/** Some employees who are read together. */
export interface EmployeeSlice {
  readonly employeeIds: readonly string[];
  /** The first day of employees that are read from an earlier day than that of the query. */
  readonly starts: Starts;
}

/** First days by employee. */
export type Starts = ReadonlyMap<string, EpochDay>;

/** The months of the days from..to and their neighbours: a workday may begin in one month and end in the next. */
export function monthsAround(fromDay: EpochDay, toDay: EpochDay): YearMonth[] {
  const first = ordinal(monthOf(fromDay)) - 1;
  const last = ordinal(monthOf(toDay)) + 1;
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    year: Math.floor((first + index) / 12),
    month: ((first + index) % 12) + 1,
  }));
}

function ordinal({ year, month }: YearMonth): number {
  return year * 12 + month - 1;
}
