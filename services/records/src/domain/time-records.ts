import { monthOf, type EpochDay, type YearMonth } from '@stechuhr/worktime';

/** What can be read of an employee; timespans come inside their workdays. */
export type RecordPart = 'contracts' | 'absences' | 'workdays' | 'timespans';

export interface TimeRecordsQuery {
  /** Both inclusive. */
  readonly fromDay: EpochDay;
  readonly toDay: EpochDay;
  readonly parts: ReadonlySet<RecordPart>;
  readonly signal: AbortSignal;
}

/** The months that days from..to lie in, and their neighbours: a workday may begin in one month and reach into the next. */
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
