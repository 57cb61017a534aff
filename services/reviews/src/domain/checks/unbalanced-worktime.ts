import { overlap } from '@stechuhr/worktime';
import { defineCheck, type Found } from '../check.js';
import { germanDate, germanHours } from '../german.js';
import { numberOption } from '../options.js';
import { isClosed, workTimespans, type ClosedWorkday } from '../subject.js';

export const unbalancedWorktime = defineCheck({
  code: 'unbalanced-worktime',
  group: 'conflicts',
  title: 'Arbeitszeit und Zeitabschnitte verschieden',
  description:
    'Die Arbeitsabschnitte eines Arbeitstags ergeben zusammen nicht seine Nettoarbeitszeit: Ein Teil ist keinem Abschnitt zugeordnet oder ' +
    'doppelt verbucht. Lohn und Projektkosten würden voneinander abweichen; aufzuzeichnen ist die tatsächliche Dauer (§ 16 Abs. 2 ArbZG, § 17 Abs. 1 MiLoG).',
  options: { tolerance_seconds: numberOption(60) },
  find: ({ monthWorkdays }, { tolerance_seconds }) =>
    monthWorkdays.filter(isClosed).flatMap((workday) => differenceOf(workday, tolerance_seconds)),
});

function differenceOf(workday: ClosedWorkday, tolerance: number): readonly Found[] {
  const { id, date, netSeconds } = workday;
  const timespanSeconds = workSeconds(workday);
  if (timespanSeconds === undefined || Math.abs(netSeconds - timespanSeconds) <= tolerance) return [];
  const difference = netSeconds - timespanSeconds;
  const parts = workTimespans(workday).map((timespan) => ['timespan', timespan.id] as const);
  const context = { net_working_seconds: netSeconds, timespan_seconds: timespanSeconds, difference_seconds: difference };
  return [{ date, references: [['workday', id], ...parts], context, details: describe(date, netSeconds, timespanSeconds) }];
}

/**
 * Returns the sum of the work timespans within their workday in seconds; undefined if there are none. Breaks during a timespan are not
 * work, as in the exports (docs/rules/working-time.md#workdays), and a timespan without an end counts 0.
 */
function workSeconds({ timespans, breaks, startedAt, endedAt }: ClosedWorkday): number | undefined {
  let sum: number | undefined;
  for (const timespan of timespans) {
    if (timespan.type !== 'work') continue;
    const piece = { from: Math.max(timespan.startedAt, startedAt), to: Math.min(timespan.endedAt ?? timespan.startedAt, endedAt) };
    sum = (sum ?? 0) + Math.max(0, piece.to - piece.from);
    for (const pause of breaks) sum -= overlap(pause, piece);
  }
  return sum;
}

function describe(date: number, net: number, timespans: number): string {
  const total = germanHours(timespans, net);
  return `Der Arbeitstag vom ${germanDate(date)} hat ${germanHours(net, timespans)} Nettoarbeitszeit, seine Zeitabschnitte ergeben ${total}.`;
}
