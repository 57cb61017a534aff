import type { Absence, AbsenceType, DateRange, EpochDay, EpochSecond, Interval, Terms, Timespan, Workday } from '@stechuhr/worktime';

/** A later change of a workday. */
export interface Edit {
  readonly at: EpochSecond;
  readonly by: 'employee' | 'manager' | 'system';
}

/** A workday with derived values that several checks need. */
export interface ReviewedWorkday extends Workday {
  readonly edits: readonly Edit[];
  /** Disjoint and sorted; empty while the workday is open. */
  readonly breaks: readonly Interval[];
  /** 0 while the workday is open. */
  readonly netSeconds: number;
}

/** A workday with an end. */
export type ClosedWorkday = ReviewedWorkday & { readonly endedAt: EpochSecond };

/** A date with workdays that have ended, for the legal checks. */
export interface WorkedDay {
  readonly day: EpochDay;
  /** Sorted by start, then id; none of them is without duration. */
  readonly workdays: readonly [ClosedWorkday, ...ClosedWorkday[]];
  readonly netSeconds: number;
}

export interface Application {
  readonly id: string;
  readonly startsOn: EpochDay;
  readonly endsOn: EpochDay;
  readonly isPending: boolean;
}

/** Where the overtime account begins. */
export interface AccountStart {
  /** The first day that is not included in the opening balance. */
  readonly since: EpochDay;
  readonly openingSeconds: number;
  /** The workdays dated from `since` to the day before the month, unordered. */
  readonly earlierWorkdays: readonly Workday[];
}

/** One employee in one month, as input of the checks. */
export interface Subject {
  readonly employeeId: string;
  readonly workmonthId: string;
  readonly month: DateRange;
  readonly now: EpochSecond;
  readonly today: EpochDay;
  /** The workdays of this month and its neighbours, by start, then id. */
  readonly workdays: readonly ReviewedWorkday[];
  /** The workdays dated in the month. */
  readonly monthWorkdays: readonly ReviewedWorkday[];
  /** Sorted by date, including the month before. */
  readonly workedDays: readonly WorkedDay[];
  readonly terms: Terms;
  readonly absences: readonly Absence[];
  readonly absenceTypes: readonly AbsenceType[];
  readonly applications: readonly Application[];
  /** Undefined if no check needs it. */
  readonly account: AccountStart | undefined;
}

export function isClosed(workday: ReviewedWorkday): workday is ClosedWorkday {
  return workday.endedAt !== null;
}

export function isIn({ first, last }: DateRange, day: EpochDay): boolean {
  return day >= first && day <= last;
}

/** Returns the work timespans of a workday, by start, then id. */
export function workTimespans({ timespans }: Workday): readonly Timespan[] {
  return timespans.filter(({ type }) => type === 'work').sort(byStart);
}

interface Started {
  readonly id: string;
  readonly startedAt: EpochSecond;
}

export function byStart(a: Started, b: Started): number {
  return a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1);
}
