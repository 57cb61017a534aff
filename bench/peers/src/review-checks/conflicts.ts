import { DateTime, Interval } from 'luxon';
import type { TimespanDocument, WorkdayDocument } from './documents.js';
import type { Case, Found } from './subject.js';
import { breaksOf, isClosed, local, netSecondsOf, presenceOf, secondsBetween, sumOf, type ClosedDocument } from './times.js';

const TOLERANCE_SECONDS = 60;
const FUTURE_MINUTES = 5;

export function overlappingWorkdays({ workdays, monthWorkdays, month }: Case): readonly Found[] {
  const found: Found[] = [];
  const endOf = ({ startedAt, endedAt }: WorkdayDocument): DateTime =>
    endedAt === null ? DateTime.min(local(month.now), local(startedAt).plus({ seconds: 86_400 })) : local(endedAt);
  workdays.forEach((earlier, index) => {
    for (const later of workdays.slice(index + 1)) {
      if (local(later.startedAt) >= endOf(earlier)) break;
      const seconds = secondsBetween(local(later.startedAt), DateTime.min(endOf(earlier), endOf(later)));
      if (seconds <= 0 || !monthWorkdays.includes(later)) continue;
      found.push({ date: later.date, references: [['workday', earlier.id], ['workday', later.id]], context: { overlap_seconds: seconds } }); // prettier-ignore
    }
  });
  return found;
}

export function unbalancedWorktime({ monthWorkdays }: Case): readonly Found[] {
  return monthWorkdays.filter(isClosed).flatMap((workday) => {
    const parts = workTimespans(workday);
    const net = netSecondsOf(workday);
    const worked = workedSeconds(workday, parts);
    if (parts.length === 0 || Math.abs(net - worked) <= TOLERANCE_SECONDS) return [];
    const references = [['workday', workday.id] as const, ...parts.map(({ id }) => ['timespan', id] as const)];
    const context = { net_working_seconds: net, timespan_seconds: worked, difference_seconds: net - worked };
    return [{ date: workday.date, references, context }];
  });
}

export function futureWorkday({ monthWorkdays, month }: Case): readonly Found[] {
  const limit = local(month.now).plus({ minutes: FUTURE_MINUTES });
  return monthWorkdays
    .filter(({ startedAt, endedAt }) => DateTime.max(local(startedAt), local(endedAt ?? startedAt)) > limit)
    .map(({ id, date, startedAt }) => ({
      date,
      references: [['workday', id]],
      context: { started_at: local(startedAt).toFormat("yyyy-MM-dd'T'HH:mm:ss") },
    }));
}

/** Returns the work timespans, ordered by start, then id. */
export function workTimespans({ timespans }: WorkdayDocument): readonly TimespanDocument[] {
  const work = timespans.filter(({ type }) => type === 'work');
  return work.sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime() || (a.id < b.id ? -1 : 1));
}

function workedSeconds(workday: ClosedDocument, parts: readonly TimespanDocument[]): number {
  const presence = presenceOf(workday);
  const pieces = parts.map(({ startedAt, endedAt }) =>
    presence.intersection(Interval.fromDateTimes(local(startedAt), local(endedAt ?? startedAt))),
  );
  return pieces
    .filter((piece) => piece !== null)
    .reduce((sum, piece) => sum + piece.length('seconds') - sumOf(inside(breaksOf(workday), piece)), 0);
}

function inside(breaks: readonly Interval[], piece: Interval): readonly Interval[] {
  return breaks.map((pause) => pause.intersection(piece)).filter((shared) => shared !== null);
}
