import { breaksOf, localDayOf, type DateRange, type Employment, type EpochDay, type EpochSecond, type Workday } from '@stechuhr/worktime';
import { byStart, isClosed, isIn, type ClosedWorkday, type Edit, type ReviewedWorkday, type Subject, type WorkedDay } from './subject.js';

/** The id and the employment of an employee. */
export interface StaffTerms {
  readonly id: string;
  readonly employment: Employment;
}

/** The records that were read for an employee. */
export interface SubjectRecords extends Pick<
  Subject,
  'employeeId' | 'workmonthId' | 'terms' | 'absences' | 'absenceTypes' | 'applications' | 'account'
> {
  /** The workdays of the month and its neighbours, unordered. */
  readonly workdays: readonly (Workday & { readonly edits: readonly Edit[] })[];
}

export interface Moment {
  readonly month: DateRange;
  readonly now: EpochSecond;
}

/** Computes everything that several checks need, once for each employee. */
export function prepareSubject({ workdays: recorded, ...records }: SubjectRecords, { month, now }: Moment): Subject {
  const workdays = recorded.map(prepareWorkday).sort(byStart);
  return {
    ...records,
    month,
    now,
    today: localDayOf(now),
    workdays,
    monthWorkdays: workdays.filter(({ date }) => isIn(month, date)),
    workedDays: workedDaysOf(workdays, now),
  };
}

function prepareWorkday(workday: Workday & { readonly edits: readonly Edit[] }): ReviewedWorkday {
  const { id, date, startedAt, endedAt, timespans, edits } = workday;
  const breaks = breaksOf(workday);
  let netSeconds = endedAt === null ? 0 : endedAt - startedAt;
  for (const { from, to } of breaks) netSeconds -= to - from;
  return { id, date, startedAt, endedAt, timespans, edits, breaks, netSeconds };
}

/**
 * Groups workdays by date for the legal checks, which consider only workdays that have ended (docs/rules/reviews.md#what-is-checked). A
 * workday without duration does not count as work.
 */
function workedDaysOf(workdays: readonly ReviewedWorkday[], now: EpochSecond): readonly WorkedDay[] {
  const byDate = new Map<EpochDay, [ClosedWorkday, ...ClosedWorkday[]]>();
  for (const workday of workdays) {
    if (!isClosed(workday) || workday.endedAt > now || workday.endedAt === workday.startedAt) continue;
    const known = byDate.get(workday.date);
    if (known === undefined) byDate.set(workday.date, [workday]);
    else known.push(workday);
  }
  return Array.from(byDate, ([day, ofDay]) => ({ day, workdays: ofDay, netSeconds: sumOfNet(ofDay) })).sort((a, b) => a.day - b.day);
}

function sumOfNet(workdays: readonly ReviewedWorkday[]): number {
  return workdays.reduce((sum, { netSeconds }) => sum + netSeconds, 0);
}
