import { DateTime } from 'luxon';
import { workTimespans } from './conflicts.js';
import { covers, plannedSecondsOf } from './missing.js';
import type { Case, Found } from './subject.js';
import { dayOf, isClosed, isoDate, local, netSecondsOf, secondsBetween } from './times.js';

const HOUR = 3600;
const MAX_SESSIONS = 10;
const ACCOUNT_HOURS = { min: -40, max: 40 };
const EDIT_SECONDS = 168 * HOUR;

export function zeroDurationTimespan({ monthWorkdays }: Case): readonly Found[] {
  return monthWorkdays
    .filter(isClosed)
    .flatMap(({ date, timespans }) =>
      timespans
        .filter(({ startedAt, endedAt }) => endedAt !== null && local(startedAt).equals(local(endedAt)))
        .map(({ id }) => ({ date, references: [['timespan', id]] as const, context: {} })),
    );
}

export function excessiveSessionFragmentation({ monthWorkdays }: Case): readonly Found[] {
  const byDate = Map.groupBy(monthWorkdays.filter(isClosed), ({ date }) => date);
  return Array.from(byDate).flatMap(([date, workdays]) => {
    const whole = workdays.filter((workday) => workTimespans(workday).length === 0);
    const parts = workdays.flatMap(workTimespans).sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime() || (a.id < b.id ? -1 : 1));
    const sessions = whole.length + parts.length;
    if (sessions <= MAX_SESSIONS) return [];
    const references = [...whole.map(({ id }) => ['workday', id] as const), ...parts.map(({ id }) => ['timespan', id] as const)];
    return [{ date, references, context: { sessions, max_sessions: MAX_SESSIONS } }];
  });
}

export function overtimeAccountOutOfRange({ employee, month, workdays }: Case): readonly Found[] {
  const { account, contract } = employee;
  const yesterday = local(month.now).startOf('day').minus({ days: 1 });
  const last = DateTime.min(dayOf(month.last), yesterday);
  if (last < dayOf(month.first)) return [];
  const min = (contract.overtimeMinHours ?? ACCOUNT_HOURS.min) * HOUR;
  const max = (contract.overtimeMaxHours ?? ACCOUNT_HOURS.max) * HOUR;
  let balance = account.openingSeconds;
  for (const workday of workdays.filter(isClosed)) {
    if (workday.date >= account.since && workday.date <= isoDate(last)) balance += netSecondsOf(workday);
  }
  for (let day = dayOf(account.since); day <= last; day = day.plus({ days: 1 })) {
    const planned = plannedSecondsOf(employee, day);
    // An absence is credited with the planned time, so a day with an absence does not change the balance.
    if (!employee.absences.some((absence) => covers(absence, isoDate(day)))) balance -= planned;
  }
  if (balance >= min && balance <= max) return [];
  return [{ date: isoDate(last), references: [], context: { balance_seconds: balance, min_seconds: min, max_seconds: max } }];
}

export function delayedEmployeeEdit({ monthWorkdays }: Case): readonly Found[] {
  return monthWorkdays.filter(isClosed).flatMap(({ id, date, endedAt, edits }) => {
    const own = edits.filter(({ by }) => by === 'employee').map(({ at }) => local(at));
    const [latest] = own.sort((a, b) => b.toMillis() - a.toMillis());
    const delay = latest === undefined ? 0 : secondsBetween(local(endedAt), latest);
    if (latest === undefined || delay <= EDIT_SECONDS) return [];
    const context = { edited_at: latest.toFormat("yyyy-MM-dd'T'HH:mm:ss"), delay_seconds: delay };
    return [{ date, references: [['workday', id]] as const, context }];
  });
}
