import type { Timespan, Workday } from './records.js';
import { ALWAYS, clip, type Interval } from './intervals.js';
import { breaksOf, presenceOf, secondsWithin, type WorkSeconds } from './workday-time.js';

/** A work timespan of a workday, or the whole workday if it has none (`timespan` is null), with the counted seconds. */
export interface WorkPiece extends WorkSeconds {
  readonly timespan: Timespan | null;
  readonly projectId: string | null;
}

/**
 * Returns the work timespans of a closed workday that overlap the window, clipped to workday and window, with breaks subtracted. A workday
 * without work timespans is one piece without a project. A work timespan that is still running in a closed workday counts as 0 and is left
 * out. An open workday has no pieces (docs/rules/working-time.md#workdays).
 */
export function workPieces(workday: Workday, window: Interval = ALWAYS): readonly WorkPiece[] {
  const presence = presenceOf(workday);
  if (presence === null) return [];
  const visible = clip(presence, window);
  if (visible.from >= visible.to) return [];
  const breaks = breaksOf(workday);
  const pieces: WorkPiece[] = [];
  let hasWork = false;
  for (const timespan of workday.timespans) {
    if (timespan.type !== 'work') continue;
    hasWork = true;
    if (timespan.endedAt === null) continue;
    const piece = clip({ from: timespan.startedAt, to: timespan.endedAt }, visible);
    if (piece.from < piece.to) pieces.push({ timespan, projectId: timespan.projectId, ...secondsWithin(piece, breaks) });
  }
  return hasWork ? pieces : [{ timespan: null, projectId: null, ...secondsWithin(visible, breaks) }];
}

/** Returns the net seconds by project (null: without one) of a workday, or of its part inside a window. */
export function projectSeconds(workday: Workday, window: Interval = ALWAYS): ReadonlyMap<string | null, number> {
  const totals = new Map<string | null, number>();
  for (const piece of workPieces(workday, window)) totals.set(piece.projectId, (totals.get(piece.projectId) ?? 0) + piece.net);
  return totals;
}
