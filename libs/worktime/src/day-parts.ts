import type { EpochDay, Workday } from './records.js';
import { ALWAYS, clip, type Interval } from './intervals.js';
import { breaksOf, presenceOf, secondsWithin, type WorkSeconds } from './workday-time.js';
import { instantAt, localDayOf, startOfLocalDay } from './zone.js';

/** Night work is work between 23:00 and 06:00 (ArbZG §2(3)). */
const NIGHT_END = 6 * 3600;
const NIGHT_START = 23 * 3600;

/** The part of a workday on one local calendar day; `night` is net of breaks. */
export interface DayPart extends WorkSeconds {
  readonly day: EpochDay;
  readonly night: number;
}

/**
 * Splits a workday, or its part inside a window of instants, at local midnight. Returns a part for each day with presence, in order; empty
 * for an open workday. The parts add up to `workdaySeconds`. Work on a Saturday, Sunday or holiday is the net time of that day.
 */
export function dayParts(workday: Workday, window: Interval = ALWAYS): readonly DayPart[] {
  const presence = presenceOf(workday);
  const parts: DayPart[] = [];
  if (presence === null) return parts;
  const { from, to } = clip(presence, window);
  const breaks = breaksOf(workday);
  let day = localDayOf(from);
  for (let start = from; start < to; day += 1) {
    const end = Math.min(to, startOfLocalDay(day + 1));
    const piece = { from: start, to: end };
    parts.push({ day, ...secondsWithin(piece, breaks), night: nightSeconds(day, piece, breaks) });
    start = end;
  }
  return parts;
}

/** Returns the night work of an interval on one day, in seconds. */
function nightSeconds(day: EpochDay, piece: Interval, breaks: readonly Interval[]): number {
  const morning = instantAt(day, NIGHT_END);
  const evening = instantAt(day, NIGHT_START);
  let seconds = 0;
  if (piece.from < morning) seconds += secondsWithin({ from: piece.from, to: Math.min(piece.to, morning) }, breaks).net;
  if (piece.to > evening) seconds += secondsWithin({ from: Math.max(piece.from, evening), to: piece.to }, breaks).net;
  return seconds;
}
