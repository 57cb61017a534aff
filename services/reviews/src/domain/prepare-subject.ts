import { breaksOf, localDayOf, type DateRange, type Employment, type EpochDay, type EpochSecond, type Workday } from '@stechuhr/worktime';
import { byStart, isClosed, isIn, type ClosedWorkday, type Edit, type ReviewedWorkday, type Subject, type WorkedDay } from './subject.js';

/** An employee with the terms of employment. */
export interface StaffTerms {
  readonly id: string;
  readonly employment: Employment;
}

/** The records of an employee. */
export interface SubjectRecords extends Pick<
  Subject,
  'employeeId' | 'workmonthId' | 'terms' | 'absences' | 'absenceTypes' | 'applications' | 'account'
> {
  /** Of the month and the adjacent months, in any order. */
  readonly workdays: readonly (Workday & { readonly edits: readonly Edit[] })[];
}

export interface Moment {
  readonly month: DateRange;
  readonly now: EpochSecond;
}

/** Computes everything that more than one check needs, once per employee. */
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

/** The legal checks consider workdays that have ended by now (docs/rules/reviews.md#what-is-checked). A workday without length is not work. */
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
