import { projectSeconds, roundedHours, windowOf, type Interval, type Timespan, type Workday } from '@stechuhr/worktime';
import type { ReportKey } from './report.js';

/** The tracked time of an employee that overlaps a day on a project: complete workdays with all their timespans. */
export interface TrackedEmployee {
  readonly employeeId: string;
  readonly workdays: readonly Workday[];
}

/** The hours and activities of an employee for one report. */
export interface TrackedDay {
  readonly employeeId: string;
  /** Rounded to two decimals. */
  readonly hours: number;
  /** The distinct comments, sorted by the start of their timespans. */
  readonly activities: readonly string[];
}

/** The maximum hours of an entry. Overlapping shifts can add up to more. */
const MAX_HOURS = 24;

/** Returns the part of an employee's tracked time that belongs to the local day and the project of a report. */
export function trackedDay({ employeeId, workdays }: TrackedEmployee, { tagId, date }: ReportKey): TrackedDay {
  const day = windowOf({ first: date, last: date });
  let seconds = 0;
  for (const workday of workdays) seconds += projectSeconds(workday, day).get(tagId) ?? 0;
  return { employeeId, hours: Math.min(roundedHours(seconds), MAX_HOURS), activities: activitiesOf(workdays, tagId, day) };
}

/** Returns the comments. In contrast to hours, comments of open shifts count, too. */
function activitiesOf(workdays: readonly Workday[], tagId: string, day: Interval): readonly string[] {
  const commented = workdays
    .flatMap((workday) => workday.timespans.filter((timespan) => touches(timespan, workday, day)))
    .filter(({ type, projectId }) => type === 'work' && projectId === tagId)
    .sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
  const texts = commented.map(({ comment }) => comment?.trim() ?? '');
  return [...new Set(texts)].filter((text) => text !== '');
}

function touches({ startedAt, endedAt }: Timespan, workday: Workday, day: Interval): boolean {
  const end = endedAt ?? workday.endedAt ?? startedAt;
  return startedAt < day.to && (end > day.from || startedAt >= day.from);
}
