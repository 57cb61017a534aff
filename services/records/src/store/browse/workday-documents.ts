import type { EpochDay } from '@stechuhr/worktime';
import type { BrowsedTimespan, BrowsedWorkday, DayTimespan, Editor } from '../../domain/browse.js';
import type { Row } from './month-rows.js';
import type { StoredTimes } from './source.js';

export interface StoredMonthDays {
  readonly _id: string;
  readonly workdays?: readonly StoredDay[];
}

/** A workday as stored in its month. */
export interface StoredDay extends StoredTimes {
  readonly id: string;
  readonly date: EpochDay;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly timespans: readonly StoredTimespan[];
  readonly edits: readonly { readonly at: Date; readonly by: Editor }[];
}

interface StoredTimespan {
  readonly id: string;
  readonly type: 'work' | 'break';
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly project_id: string | null;
  readonly comment: string | null;
}

/** Approximate size of an encoded timespan and an encoded edit. */
const BYTES_OF_TIMESPAN = 200;
const BYTES_OF_EDIT = 50;

/** Estimates the encoded size of a workday in bytes. Most of a large workday is comments. */
export function bytesOf({ timespans, edits }: StoredDay): number {
  const comments = timespans.reduce((sum, { comment }) => sum + Buffer.byteLength(comment ?? ''), 0);
  return comments + timespans.length * BYTES_OF_TIMESPAN + edits.length * BYTES_OF_EDIT;
}

export function toWorkday({ employeeId }: Row, day: StoredDay): BrowsedWorkday {
  return {
    id: day.id,
    employeeId,
    date: day.date,
    startedAt: seconds(day.started_at),
    endedAt: day.ended_at === null ? undefined : seconds(day.ended_at),
    timespans: day.timespans.map(toDayTimespan),
    edits: day.edits.map(({ at, by }) => ({ at: seconds(at), by })),
  };
}

/**
 * Returns the timespan of a row. Undefined if it was removed after the row was read. A workday may have several with the same id, and the start
 * may have changed since the row was read.
 */
export function toTimespan({ id, employeeId, startedAt }: Row, day: StoredDay): BrowsedTimespan | undefined {
  const candidates = day.timespans.filter((candidate) => candidate.id === id);
  const timespan = candidates.find((candidate) => candidate.started_at.getTime() === startedAt) ?? candidates[0];
  return timespan && { ...toDayTimespan(timespan), employeeId, workdayId: day.id, date: day.date };
}

function toDayTimespan({ id, type, started_at, ended_at, project_id, comment }: StoredTimespan): DayTimespan {
  return {
    id,
    type,
    startedAt: seconds(started_at),
    endedAt: ended_at === null ? undefined : seconds(ended_at),
    projectId: project_id ?? undefined,
    comment: comment ?? undefined,
  };
}

function seconds(time: Date): number {
  return time.getTime() / 1000;
}
