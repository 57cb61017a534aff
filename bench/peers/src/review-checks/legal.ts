import { Interval } from 'luxon';
import type { Case, Found } from './subject.js';
import { breaksOf, dayOf, isClosed, local, netSecondsOf, presenceOf, secondsBetween, type ClosedDocument } from './times.js';

const HOUR = 3600;
const MIN_PIECE_SECONDS = 15 * 60;
const MAX_DAY_SECONDS = 10 * HOUR;
const MAX_WEEK_SECONDS = 48 * HOUR;
const REST_SECONDS = 11 * HOUR;

/** A date with its workdays that have already ended. */
interface WorkedDate {
  readonly date: string;
  readonly workdays: readonly [ClosedDocument, ...ClosedDocument[]];
}

export function insufficientBreak(subject: Case): readonly Found[] {
  return workedDates(subject)
    .filter(({ date }) => isInMonth(subject, date))
    .flatMap(({ date, workdays }) => {
      const net = netOf(workdays);
      const required = net >= 9 * HOUR ? 45 * 60 : net >= 6 * HOUR ? 30 * 60 : 0;
      const presence = Interval.merge(workdays.map(presenceOf));
      const gaps = presence.slice(1).map((next, index) => Interval.fromDateTimes(endOf(presence[index]), startOf(next)));
      const pauses = Interval.merge([...workdays.flatMap(breaksOf), ...gaps]);
      const long = pauses.map((pause) => pause.length('seconds')).filter((seconds) => seconds >= MIN_PIECE_SECONDS);
      const actual = long.reduce((sum, seconds) => sum + seconds, 0);
      if (required === 0 || actual >= required) return [];
      const context = { net_working_seconds: net, actual_break_seconds: actual, required_break_seconds: required };
      return [{ date, references: referencesOf(workdays), context }];
    });
}

export function excessiveDailyHours(subject: Case): readonly Found[] {
  return workedDates(subject)
    .filter(({ date, workdays }) => isInMonth(subject, date) && netOf(workdays) > MAX_DAY_SECONDS)
    .map(({ date, workdays }) => ({
      date,
      references: referencesOf(workdays),
      context: { net_working_seconds: netOf(workdays), max_working_seconds: MAX_DAY_SECONDS },
    }));
}

export function insufficientRestPeriod(subject: Case): readonly Found[] {
  const found: Found[] = [];
  let last: ClosedDocument | undefined;
  for (const { date, workdays } of workedDates(subject)) {
    const [first] = workdays;
    const rest = last === undefined ? 0 : secondsBetween(local(last.endedAt), local(first.startedAt));
    if (last !== undefined && isInMonth(subject, date) && rest > 0 && rest < REST_SECONDS) {
      const context = { rest_seconds: rest, required_rest_seconds: REST_SECONDS };
      found.push({ date, references: referencesOf([last, first]), context });
    }
    for (const workday of workdays) if (last === undefined || local(workday.endedAt) > local(last.endedAt)) last = workday;
  }
  return found;
}

export function excessiveWeeklyHours(subject: Case): readonly Found[] {
  const weeks = Map.groupBy(workedDates(subject), ({ date }) => dayOf(date).toFormat("kkkk-'W'WW"));
  return Array.from(weeks).flatMap(([week, dates]) => {
    const sums = dates.map((_, index) => netOf(dates.slice(0, index + 1).flatMap(({ workdays }) => workdays)));
    const passed = sums.findIndex((sum) => sum > MAX_WEEK_SECONDS);
    const date = dates[passed]?.date;
    if (date === undefined || !isInMonth(subject, date)) return [];
    const workdays = dates.slice(0, passed + 1).flatMap((worked) => worked.workdays);
    const context = { week, net_working_seconds: sums[passed] ?? 0, max_working_seconds: MAX_WEEK_SECONDS };
    return [{ date, references: referencesOf(workdays), context }];
  });
}

function workedDates({ workdays, month }: Case): readonly WorkedDate[] {
  const ended = workdays.filter(isClosed).filter((workday) => {
    return local(workday.endedAt) <= local(month.now) && local(workday.endedAt) > local(workday.startedAt);
  });
  const byDate = Map.groupBy(ended, ({ date }) => date);
  return Array.from(byDate)
    .flatMap(([date, [first, ...others]]): readonly WorkedDate[] => (first === undefined ? [] : [{ date, workdays: [first, ...others] }]))
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}

function isInMonth({ month }: Case, date: string): boolean {
  return date >= month.first && date <= month.last;
}

function netOf(workdays: readonly ClosedDocument[]): number {
  return workdays.reduce((sum, workday) => sum + netSecondsOf(workday), 0);
}

function referencesOf(workdays: readonly ClosedDocument[]): Found['references'] {
  return workdays.map(({ id }) => ['workday', id]);
}

function startOf(interval: Interval): NonNullable<Interval['start']> {
  if (interval.start === null) throw new Error('The interval is invalid.');
  return interval.start;
}

function endOf(interval: Interval | undefined): NonNullable<Interval['end']> {
  if (interval === undefined || interval.end === null) throw new Error('The interval is invalid.');
  return interval.end;
}
