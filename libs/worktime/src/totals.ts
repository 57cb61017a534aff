import type { Absence, AbsenceType, EpochDay, Workday } from './records.js';
import { absenceDays, type AbsenceDay } from './absence-days.js';
import { dayParts } from './day-parts.js';
import type { HolidayCalendar } from './holidays.js';
import { windowOf, type DateRange, type Interval } from './intervals.js';
import { weekday } from './local-date.js';
import { dayPlan, type Terms } from './planned.js';

/** An amount of time in seconds, and in days. */
export interface Amount {
  readonly seconds: number;
  readonly days: number;
}

/** Seconds worked in a period; the parts are net of breaks. */
export interface WorkTotals {
  readonly gross: number;
  readonly breaks: number;
  readonly net: number;
  readonly night: number;
  readonly sunday: number;
  readonly saturday: number;
  /** Work on public holidays. */
  readonly holidayWork: number;
}

/** Totals that are not derived from workdays. */
export interface PlanTotals {
  /** Planned time, and the dates with planned time. */
  readonly planned: Amount;
  /** The time that the contract plans for public holidays, even if the employee worked. */
  readonly publicHoliday: Amount;
  /** Absence days by type; types without absences are missing. */
  readonly absences: ReadonlyMap<string, Amount>;
  readonly absence: Amount;
  readonly creditedAbsenceSeconds: number;
}

/** All totals of an employee for a period, in seconds and days; not rounded. */
export interface PeriodTotals extends WorkTotals, PlanTotals {
  /** Net + credited absences + holiday hours; the days are the local dates on which any of them is above 0. */
  readonly credited: Amount;
  /** Net + credited absences − planned. */
  readonly balance: number;
  /** The positive part of `balance`. */
  readonly overtime: number;
}

/** The records of an employee. `workdays` may be in any order; time outside of the period is ignored. */
export interface EmployeeRecords {
  readonly terms: Terms;
  readonly workdays: Iterable<Workday>;
  readonly absences: readonly Absence[];
  readonly absenceTypes: readonly AbsenceType[];
}

/** Marks the dates of a range with credited time. */
interface CreditedDates {
  readonly range: DateRange;
  readonly marks: Uint8Array;
}

/**
 * Returns the totals of an employee for a range of dates; workdays are split at its borders by instants
 * (docs/rules/working-time.md#workdays).
 */
export function periodTotals(records: EmployeeRecords, range: DateRange): PeriodTotals {
  const dates: CreditedDates = { range, marks: new Uint8Array(Math.max(0, range.last - range.first + 1)) };
  const work = sumWork(records.workdays, windowOf(range), records.terms.holidays, dates);
  const plan = sumPlan(records, range, dates);
  const balance = work.net + plan.creditedAbsenceSeconds - plan.planned.seconds;
  const credited = {
    seconds: work.net + plan.creditedAbsenceSeconds + plan.publicHoliday.seconds,
    days: dates.marks.reduce((sum, mark) => sum + mark, 0),
  };
  return { ...work, ...plan, credited, balance, overtime: Math.max(0, balance) };
}

/** Returns the totals of workdays inside a window of instants. */
export function workTotals(workdays: Iterable<Workday>, window: Interval, holidays: HolidayCalendar): WorkTotals {
  return sumWork(workdays, window, holidays, null);
}

/** Returns planned time, holidays and absences of an employee for a range of dates. */
export function planTotals(records: Omit<EmployeeRecords, 'workdays'>, range: DateRange): PlanTotals {
  return sumPlan(records, range, null);
}

function sumWork(workdays: Iterable<Workday>, window: Interval, holidays: HolidayCalendar, dates: CreditedDates | null): WorkTotals {
  const totals = { gross: 0, breaks: 0, net: 0, night: 0, sunday: 0, saturday: 0, holidayWork: 0 };
  for (const workday of workdays) {
    for (const part of dayParts(workday, window)) {
      totals.gross += part.gross;
      totals.breaks += part.breaks;
      totals.net += part.net;
      totals.night += part.night;
      const dayOfWeek = weekday(part.day);
      if (dayOfWeek === 6) totals.sunday += part.net;
      if (dayOfWeek === 5) totals.saturday += part.net;
      if (holidays.isHoliday(part.day)) totals.holidayWork += part.net;
      if (part.net > 0) mark(dates, part.day);
    }
  }
  return totals;
}

function sumPlan(records: Omit<EmployeeRecords, 'workdays'>, range: DateRange, dates: CreditedDates | null): PlanTotals {
  const planned = { seconds: 0, days: 0 };
  const publicHoliday = { seconds: 0, days: 0 };
  for (let day = range.first; day <= range.last; day += 1) {
    const plan = dayPlan(records.terms, day);
    planned.seconds += plan.plannedSeconds;
    publicHoliday.seconds += plan.holidaySeconds;
    if (plan.plannedSeconds > 0) planned.days += 1;
    if (plan.isHolidayDay) publicHoliday.days += 1;
    if (plan.holidaySeconds > 0) mark(dates, day);
  }
  return { planned, publicHoliday, ...sumAbsences(absenceDays(records.absences, records.absenceTypes, records.terms, range), dates) };
}

function sumAbsences(
  days: Iterable<AbsenceDay>,
  dates: CreditedDates | null,
): Pick<PlanTotals, 'absences' | 'absence' | 'creditedAbsenceSeconds'> {
  const absences = new Map<string, { seconds: number; days: number }>();
  const absence = { seconds: 0, days: 0 };
  let creditedAbsenceSeconds = 0;
  for (const entry of days) {
    let amount = absences.get(entry.missingType);
    if (amount === undefined) absences.set(entry.missingType, (amount = { seconds: 0, days: 0 }));
    for (const total of [amount, absence]) {
      total.seconds += entry.seconds;
      total.days += entry.dayPart;
    }
    if (!entry.credited) continue;
    creditedAbsenceSeconds += entry.seconds;
    if (entry.seconds > 0) mark(dates, entry.day);
  }
  return { absences, absence, creditedAbsenceSeconds };
}

function mark(dates: CreditedDates | null, day: EpochDay): void {
  if (dates !== null) dates.marks[day - dates.range.first] = 1;
}
