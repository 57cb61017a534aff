import { defineCheck, type Reference } from '../check.js';
import { germanDate, germanNumber } from '../german.js';
import { numberOption } from '../options.js';
import { byStart, isClosed, workTimespans, type ClosedWorkday } from '../subject.js';

export const excessiveSessionFragmentation = defineCheck({
  code: 'excessive-session-fragmentation',
  group: 'anomalies',
  title: 'Auffällig viele Arbeitsabschnitte',
  description:
    'Die Arbeit eines Datums besteht aus auffällig vielen Abschnitten. Das kann auf Fehler beim Stempeln hindeuten oder auf Unterbrechungen, ' +
    'die zu kurz sind, um als Pause zu zählen (§ 4 Satz 2 ArbZG).',
  options: { max_sessions: numberOption(10) },
  find({ monthWorkdays }, { max_sessions }) {
    const byDate = Map.groupBy(monthWorkdays.filter(isClosed), ({ date }) => date);
    return Array.from(byDate, ([date, workdays]) => ({ date, workdays, sessions: countSessions(workdays) }))
      .filter(({ sessions }) => sessions > max_sessions)
      .map(({ date, workdays, sessions }) => ({
        date,
        references: sessionsOf(workdays),
        context: { sessions, max_sessions },
        details: `Am ${germanDate(date)} gibt es ${String(sessions)} Arbeitsabschnitte, üblich sind höchstens ${germanNumber(max_sessions)}.`,
      }));
  },
});

function countSessions(workdays: readonly ClosedWorkday[]): number {
  let sessions = 0;
  for (const { timespans } of workdays) {
    let parts = 0;
    for (const { type } of timespans) if (type === 'work') parts += 1;
    sessions += Math.max(1, parts);
  }
  return sessions;
}

/** Returns references to workdays without work timespans, followed by the work timespans, each sorted by start, then id. */
function sessionsOf(workdays: readonly ClosedWorkday[]): readonly Reference[] {
  const whole = workdays.filter((workday) => workTimespans(workday).length === 0);
  const parts = workdays.flatMap(workTimespans).sort(byStart);
  return [...whole.map(({ id }) => ['workday', id] as const), ...parts.map(({ id }) => ['timespan', id] as const)];
}
