import type { EpochDay, EpochSecond } from './records.js';
import { startOfLocalDay } from './zone.js';

/** A half-open interval of time (`to` is exclusive); empty unless `from` < `to`. */
export interface Interval {
  readonly from: EpochSecond;
  readonly to: EpochSecond;
}

/** An inclusive range of calendar days. */
export interface DateRange {
  readonly first: EpochDay;
  readonly last: EpochDay;
}

/** A window that contains all instants. */
export const ALWAYS: Interval = { from: -Infinity, to: Infinity };

/** Returns the instants of a range of days, from local midnight to local midnight. */
export function windowOf(range: DateRange): Interval {
  return { from: startOfLocalDay(range.first), to: startOfLocalDay(range.last + 1) };
}

/** Returns the part of an interval inside a window; empty if they do not overlap. */
export function clip(interval: Interval, window: Interval): Interval {
  return { from: Math.max(interval.from, window.from), to: Math.min(interval.to, window.to) };
}

/** Returns the seconds that an interval and a window have in common. */
export function overlap(interval: Interval, window: Interval): number {
  return Math.max(0, Math.min(interval.to, window.to) - Math.max(interval.from, window.from));
}

/** Returns the union as sorted, disjoint intervals: empty ones are dropped, overlapping and adjacent ones are merged. */
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

/** Returns the seconds of disjoint intervals inside a window. */
export function overlapOfAll(intervals: readonly Interval[], window: Interval): number {
  let seconds = 0;
  for (const interval of intervals) seconds += overlap(interval, window);
  return seconds;
}
