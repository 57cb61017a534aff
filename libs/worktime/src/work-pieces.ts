import type { Timespan, Workday } from './records.js';
import { ALWAYS, clip, type Interval } from './intervals.js';
import { breaksOf, presenceOf, secondsWithin, type WorkSeconds } from './workday-time.js';

/** A work timespan of a workday, or the whole workday where it has none (`timespan` null), with the seconds that count. */
export interface WorkPiece extends WorkSeconds {
  readonly timespan: Timespan | null;
  readonly projectId: string | null;
}

/**
 * The work timespans of a closed workday that have a part in the window: clipped to workday and window, breaks inside subtracted.
 * A workday without work timespans is one piece without a project; a work timespan that still runs in a closed workday counts 0
 * and is left out; an open workday has no pieces (docs/rules/working-time.md#workdays).
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

/** Net seconds per project (null: without one) of a workday, or of its part inside a window. */
export function projectSeconds(workday: Workday, window: Interval = ALWAYS): ReadonlyMap<string | null, number> {
  const totals = new Map<string | null, number>();
  for (const piece of workPieces(workday, window)) totals.set(piece.projectId, (totals.get(piece.projectId) ?? 0) + piece.net);
  return totals;
}
