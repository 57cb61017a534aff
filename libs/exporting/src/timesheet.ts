import {
  absenceDays,
  holidayCalendar,
  isFederalState,
  periodTotals,
  windowOf,
  type AbsenceDay,
  type DateRange,
  type HolidayCalendar,
  type Interval,
  type PeriodTotals,
  type Terms,
  type Workday,
} from '@stechuhr/worktime';
import type { ExportDirectory, StaffMember, StaffRecords } from './directory.js';

/** What all timesheets of an export share. */
export interface TimesheetContext {
  readonly directory: ExportDirectory;
  readonly period: DateRange;
  /** The instants of the period. */
  readonly window: Interval;
  readonly holidays: HolidayCalendar;
}

/** Prepares what the timesheets of one export share. */
export function timesheetContext(directory: ExportDirectory, period: DateRange): TimesheetContext {
  const { federalState } = directory.institution;
  const state = federalState !== null && isFederalState(federalState) ? federalState : null;
  return { directory, period, window: windowOf(period), holidays: holidayCalendar(state) };
}

/** The records of one employee in the period; what several row types need is computed once, when the first asks. */
export class Timesheet {
  readonly staff: StaffMember;
  readonly context: TimesheetContext;
  readonly #records: StaffRecords;
  readonly #terms: Terms;
  #totals: PeriodTotals | undefined;
  #workdays: readonly Workday[] | undefined;

  constructor(staff: StaffMember, records: StaffRecords, context: TimesheetContext) {
    this.staff = staff;
    this.context = context;
    this.#records = records;
    this.#terms = { employment: staff, contracts: records.contracts, holidays: context.holidays };
  }

  /** Sums over the whole period. */
  get totals(): PeriodTotals {
    this.#totals ??= periodTotals({ ...this.#absenceRecords, workdays: this.#records.workdays }, this.context.period);
    return this.#totals;
  }

  /** The closed workdays with a part in the period, by start, then id. */
  get workdays(): readonly Workday[] {
    const { from, to } = this.context.window;
    this.#workdays ??= this.#records.workdays
      .filter(({ startedAt, endedAt }) => endedAt !== null && startedAt < endedAt && startedAt < to && endedAt > from)
      .sort(byStart);
    return this.#workdays;
  }

  /** By date, then type. */
  get absenceDays(): readonly AbsenceDay[] {
    const { absences, absenceTypes, terms } = this.#absenceRecords;
    return absenceDays(absences, absenceTypes, terms, this.context.period);
  }

  get #absenceRecords(): Pick<StaffRecords, 'absences'> & { terms: Terms; absenceTypes: ExportDirectory['institution']['absenceTypes'] } {
    return {
      terms: this.#terms,
      absences: this.#records.absences,
      absenceTypes: this.context.directory.institution.absenceTypes,
    };
  }
}

/** Orders records by start, then id. */
export function byStart(a: { startedAt: number; id: string }, b: { startedAt: number; id: string }): number {
  return a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1);
}
