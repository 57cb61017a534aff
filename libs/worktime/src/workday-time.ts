import type { Workday } from './records.js';
import { ALWAYS, clip, overlapOfAll, unionOf, type Interval } from './intervals.js';

/** Working time in seconds: `net` = `gross` − `breaks`. */
export interface WorkSeconds {
  readonly gross: number;
  readonly breaks: number;
  readonly net: number;
}

const NO_INTERVALS: readonly Interval[] = [];

/**
 * Returns the presence of a workday from its start to its end; null while it is open, because open workdays count as 0
 * (docs/rules/working-time.md#workdays).
 */
export function presenceOf(workday: Workday): Interval | null {
  return workday.endedAt === null ? null : { from: workday.startedAt, to: workday.endedAt };
}

/**
 * Returns the union of the breaks of a closed workday, clipped to the workday; an open break ends with the workday
 * (docs/rules/working-time.md#workdays).
 */
export function breaksOf(workday: Workday): readonly Interval[] {
  const { endedAt } = workday;
  if (endedAt === null) return NO_INTERVALS;
  let found: Interval[] | null = null;
  for (const timespan of workday.timespans) {
    if (timespan.type !== 'break') continue;
    const from = Math.max(timespan.startedAt, workday.startedAt);
    const to = Math.min(timespan.endedAt ?? endedAt, endedAt);
    if (from < to) (found ??= []).push({ from, to });
  }
  if (found === null) return NO_INTERVALS;
  return found.length === 1 ? found : unionOf(found);
}

/** Returns gross, breaks and net of a workday, or of its part inside a window of instants; all 0 while it is open. */
export function workdaySeconds(workday: Workday, window: Interval = ALWAYS): WorkSeconds {
  const presence = presenceOf(workday);
  return presence === null ? { gross: 0, breaks: 0, net: 0 } : secondsWithin(clip(presence, window), breaksOf(workday));
}

/** Returns the seconds of an interval of presence, less the breaks. */
export function secondsWithin(piece: Interval, breaks: readonly Interval[]): WorkSeconds {
  const gross = Math.max(0, piece.to - piece.from);
  const inBreaks = gross === 0 ? 0 : overlapOfAll(breaks, piece);
  return { gross, breaks: inBreaks, net: gross - inBreaks };
}
