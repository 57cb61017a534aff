import { DateTime, Interval } from 'luxon';
import type { WorkdayDocument } from './documents.js';

const ZONE = 'Europe/Berlin';

export type ClosedDocument = WorkdayDocument & { readonly endedAt: Date };

export function local(instant: Date): DateTime {
  return DateTime.fromJSDate(instant, { zone: ZONE });
}

/** Returns local midnight at the start of a date. */
export function dayOf(date: string): DateTime {
  return DateTime.fromISO(date, { zone: ZONE });
}

export function isoDate(dateTime: DateTime): string {
  return dateTime.toFormat('yyyy-MM-dd');
}

export function secondsBetween(from: DateTime, to: DateTime): number {
  return to.diff(from, 'seconds').seconds;
}

export function isClosed(workday: WorkdayDocument): workday is ClosedDocument {
  return workday.endedAt !== null;
}

export function presenceOf({ startedAt, endedAt }: ClosedDocument): Interval {
  return Interval.fromDateTimes(local(startedAt), local(endedAt));
}

/** Returns the breaks as disjoint intervals, clipped to the workday. */
export function breaksOf(workday: ClosedDocument): Interval[] {
  const presence = presenceOf(workday);
  const recorded = workday.timespans.filter(({ type }) => type === 'break');
  const clipped = recorded.map(({ startedAt, endedAt }) =>
    presence.intersection(Interval.fromDateTimes(local(startedAt), local(endedAt ?? workday.endedAt))),
  );
  return Interval.merge(clipped.filter((piece) => piece !== null));
}

export function netSecondsOf(workday: ClosedDocument): number {
  return presenceOf(workday).length('seconds') - sumOf(breaksOf(workday));
}

export function sumOf(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, interval) => sum + interval.length('seconds'), 0);
}
