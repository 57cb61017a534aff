import type { EpochDay, EpochSecond } from './records.js';
import { startOfLocalDay } from './zone.js';

/** A stretch of time, `to` not included; empty unless `from` < `to`. */
export interface Interval {
  readonly from: EpochSecond;
  readonly to: EpochSecond;
}

/** Calendar days, both ends included. */
export interface DateRange {
  readonly first: EpochDay;
  readonly last: EpochDay;
}

/** All of time: a window that cuts nothing. */
export const ALWAYS: Interval = { from: -Infinity, to: Infinity };

/** The instants of a range of days, from local midnight to local midnight. */
export function windowOf(range: DateRange): Interval {
  return { from: startOfLocalDay(range.first), to: startOfLocalDay(range.last + 1) };
}

/** The part of an interval inside a window; its `to` is not after its `from` where they do not meet. */
export function clip(interval: Interval, window: Interval): Interval {
  return { from: Math.max(interval.from, window.from), to: Math.min(interval.to, window.to) };
}

/** Seconds that an interval and a window share. */
export function overlap(interval: Interval, window: Interval): number {
  return Math.max(0, Math.min(interval.to, window.to) - Math.max(interval.from, window.from));
}

/** The same time as disjoint intervals in order: empty ones dropped, those that overlap or touch joined. */
export function unionOf(intervals: readonly Interval[]): readonly Interval[] {
  const sorted = intervals.filter((interval) => interval.from < interval.to).sort((a, b) => a.from - b.from);
  const joined: Interval[] = [];
  let last: Interval | undefined;
  for (const interval of sorted) {
    if (last !== undefined && interval.from <= last.to) {
      last = { from: last.from, to: Math.max(last.to, interval.to) };
      joined[joined.length - 1] = last;
    } else {
      last = interval;
      joined.push(interval);
    }
  }
  return joined;
}

/** Seconds of disjoint intervals inside a window. */
export function overlapOfAll(intervals: readonly Interval[], window: Interval): number {
  let seconds = 0;
  for (const interval of intervals) seconds += overlap(interval, window);
  return seconds;
}
