import {
  absenceDays,
  firstDayOfMonth,
  holidayCalendar,
  isFederalState,
  monthOf,
  periodTotals,
  planBalance,
  projectSeconds,
  windowOf,
  workTotals,
  type AbsenceDay,
  type DateRange,
  type EpochDay,
  type HolidayCalendar,
  type Interval,
  type PeriodTotals,
  type Terms,
  type Workday,
} from '@stechuhr/worktime';
import type { ExportDirectory, OpeningBalance, StaffMember, StaffRecords, VacationBalance } from './directory.js';

/** The data that all timesheets of an export share. */
export interface TimesheetContext {
  readonly directory: ExportDirectory;
  readonly period: DateRange;
  /** The period as instants. */
  readonly window: Interval;
  readonly holidays: HolidayCalendar;
}

const NO_VACATION: VacationBalance = { granted: 0, taken: 0, remaining: 0, expiring: 0 };

/** Prepares the data that all timesheets of an export share. */
export function timesheetContext(directory: ExportDirectory, period: DateRange): TimesheetContext {
  const { federalState } = directory.institution;
  const state = federalState !== null && isFederalState(federalState) ? federalState : null;
  return { directory, period, window: windowOf(period), holidays: holidayCalendar(state) };
}

/** The records of one employee in the period; values that several row types need are computed once, on first use. */
export class Timesheet {
  readonly staff: StaffMember;
  readonly context: TimesheetContext;
  readonly #records: StaffRecords;
  readonly #terms: Terms;
  #totals: PeriodTotals | undefined;
  #workdays: readonly Workday[] | undefined;
  #absenceDays: Iterable<AbsenceDay> | undefined;
  #secondsByProject: ReadonlyMap<string | null, number> | undefined;

  constructor(staff: StaffMember, records: StaffRecords, context: TimesheetContext) {
    this.staff = staff;
    this.context = context;
    this.#records = records;
    this.#terms = { employment: staff, contracts: records.contracts, holidays: context.holidays };
  }

  /** Sums over the whole period. */
  get totals(): PeriodTotals {
    this.#totals ??= this.#totalsOf(this.context.period);
    return this.#totals;
  }

  /**
   * The balance of the working time account at the end of the period: the latest opening balance up to the period's last month, plus the
   * balances since the 1st of its month. Without an opening balance, it counts from the first month with tracked time
   * (docs/rules/exports.md#row-types).
   */
  get accountSeconds(): number {
    const { last } = this.context.period;
    const opening = latest(this.#records.openingBalances.filter(({ day }) => day <= last));
    const first = opening?.day ?? this.#firstTrackedMonth;
    return (opening?.seconds ?? 0) + (first === undefined || first > last ? 0 : this.#balanceOf({ first, last }));
  }

  get #firstTrackedMonth(): EpochDay | undefined {
    const dates = this.#records.workdays.map(({ date }) => date);
    return dates.length === 0 ? undefined : firstDayOfMonth(monthOf(dates.reduce((earliest, date) => Math.min(earliest, date))));
  }

  #balanceOf(range: DateRange): number {
    const { net } = workTotals(this.#records.workdays, windowOf(range), this.context.holidays);
    return net + planBalance(this.#absenceRecords, range);
  }

  #totalsOf(range: DateRange): PeriodTotals {
    return periodTotals({ ...this.#absenceRecords, workdays: this.#records.workdays }, range);
  }

  /** The closed workdays that overlap the period, sorted by start, then id. */
  get workdays(): readonly Workday[] {
    const { from, to } = this.context.window;
    this.#workdays ??= this.#records.workdays
      .filter(({ startedAt, endedAt }) => endedAt !== null && startedAt < endedAt && startedAt < to && endedAt > from)
      .sort(byStart);
    return this.#workdays;
  }

  /** The net seconds by project; null is work without a project. */
  get secondsByProject(): ReadonlyMap<string | null, number> {
    this.#secondsByProject ??= sumByProject(this.workdays, this.context.window);
    return this.#secondsByProject;
  }

  /** The vacation balance at the end of the period; 0 if no rule grants anything. */
  get vacation(): VacationBalance {
    return this.#records.vacation ?? NO_VACATION;
  }

  /** The vacation balance at the end of the year before that of the period's last day. */
  get vacationBefore(): VacationBalance {
    return this.#records.vacationBefore ?? NO_VACATION;
  }

  /** The days of absence, sorted by date, then type. */
  get absenceDays(): Iterable<AbsenceDay> {
    const { absences, absenceTypes, terms } = this.#absenceRecords;
    this.#absenceDays ??= keptIfFew(() => absenceDays(absences, absenceTypes, terms, this.context.period));
    return this.#absenceDays;
  }

  get #absenceRecords(): Pick<StaffRecords, 'absences'> & { terms: Terms; absenceTypes: ExportDirectory['institution']['absenceTypes'] } {
    return {
      terms: this.#terms,
      absences: this.#records.absences,
      absenceTypes: this.context.directory.institution.absenceTypes,
    };
  }
}

/** Far more than anybody has in five years, the longest period. */
const MAX_KEPT_DAYS = 10_000;

/** Keeps the days for repeated iteration, unless there are so many that each iteration has to compute them again. */
function keptIfFew(compute: () => Generator<AbsenceDay>): Iterable<AbsenceDay> {
  const kept: AbsenceDay[] = [];
  for (const day of compute()) {
    if (kept.length >= MAX_KEPT_DAYS) return { [Symbol.iterator]: compute };
    kept.push(day);
  }
  return kept;
}

function sumByProject(workdays: readonly Workday[], window: Interval): ReadonlyMap<string | null, number> {
  const totals = new Map<string | null, number>();
  for (const workday of workdays) {
    for (const [projectId, seconds] of projectSeconds(workday, window)) totals.set(projectId, (totals.get(projectId) ?? 0) + seconds);
  }
  return totals;
}

function latest(balances: readonly OpeningBalance[]): OpeningBalance | undefined {
  return balances.reduce<OpeningBalance | undefined>(
    (best, balance) => (best === undefined || balance.day > best.day ? balance : best),
    undefined,
  );
}

/** Compares records by start, then id. */
export function byStart(a: { startedAt: number; id: string }, b: { startedAt: number; id: string }): number {
  return a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1);
}
