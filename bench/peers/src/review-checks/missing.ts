import type { DateTime } from 'luxon';
import type { EmployeeDocument, PeriodDocument } from './documents.js';
import type { Case, Found } from './subject.js';
import { dayOf, isClosed, isoDate, local, secondsBetween } from './times.js';

const OPEN_SECONDS = 18 * 3600;

export function incompleteWorkday({ monthWorkdays, month }: Case): readonly Found[] {
  const now = local(month.now);
  const today = now.startOf('day');
  return monthWorkdays
    .filter((workday) => !isClosed(workday) && local(workday.startedAt) <= now)
    .filter(({ date, startedAt }) => {
      const isToday = date === isoDate(today);
      return date < isoDate(today) || (isToday && secondsBetween(local(startedAt), now) > OPEN_SECONDS);
    })
    .map(({ id, date }) => ({ date, references: [['workday', id]], context: {} }));
}

export function unfiledAbsence({ employee, month, monthWorkdays }: Case): readonly Found[] {
  const found: Found[] = [];
  const today = local(month.now).startOf('day');
  for (let day = dayOf(month.first); day <= dayOf(month.last) && day < today; day = day.plus({ days: 1 })) {
    const date = isoDate(day);
    if (monthWorkdays.some((workday) => workday.date === date)) continue;
    const plannedSeconds = plannedSecondsOf(employee, day);
    const pending = employee.applications.filter(({ isPending }) => isPending);
    if (plannedSeconds === 0 || [...employee.absences, ...pending].some((period) => covers(period, date))) continue;
    found.push({ date, references: [], context: { planned_seconds: plannedSeconds } });
  }
  return found;
}

export function pendingAbsenceApplication({ employee, month }: Case): readonly Found[] {
  return employee.applications
    .filter(({ isPending, startsOn, endsOn }) => isPending && startsOn <= month.last && endsOn >= month.first)
    .map(({ id, startsOn, endsOn }) => ({
      date: startsOn > month.first ? startsOn : month.first,
      references: [['absence-application', id]],
      context: { starts_on: startsOn, ends_on: endsOn },
    }));
}

/** Returns the planned working time of a day in seconds: 0 on holidays and before the employment. */
export function plannedSecondsOf({ contract, hiredOn, isHoliday }: EmployeeDocument, day: DateTime): number {
  if (isoDate(day) < hiredOn || isHoliday(isoDate(day))) return 0;
  return (contract.plannedMinutes[day.weekday - 1] ?? 0) * 60;
}

export function covers({ startsOn, endsOn }: PeriodDocument, date: string): boolean {
  return startsOn <= date && date <= endsOn;
}
