import type { EpochDay, Interval } from '@stechuhr/worktime';
import type { Caller } from './caller.js';

/** One local day on one project. */
export interface ProjectDay {
  readonly projectId: string;
  readonly day: EpochDay;
}

interface Presence {
  readonly startedAt: number;
  /** 0 while the shift is open. */
  readonly endedAt: number;
}

/** Returns whether a shift overlaps the day. A shift that is still open may have timespans on any day since its start. */
export function touches({ startedAt, endedAt }: Presence, day: Interval): boolean {
  if (startedAt >= day.to) return false;
  return endedAt === 0 || endedAt > day.from || startedAt >= day.from;
}

export function seesProject({ projectIds }: Caller, projectId: string): boolean {
  return projectIds === null || projectIds.includes(projectId);
}
