import { workPieces } from '@stechuhr/worktime';
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

/** Breaks inside a work timespan are no work, as in the exports (decisions, Daily reports). */
function differenceOf(workday: ClosedWorkday, tolerance: number): readonly Found[] {
  const timespans = workTimespans(workday);
  if (timespans.length === 0) return [];
  const { id, date, netSeconds } = workday;
  const timespanSeconds = workPieces(workday).reduce((sum, { net }) => sum + net, 0);
  const difference = netSeconds - timespanSeconds;
  if (Math.abs(difference) <= tolerance) return [];
  const references = [['workday', id], ...timespans.map((timespan) => ['timespan', timespan.id] as const)] as const;
  const context = { net_working_seconds: netSeconds, timespan_seconds: timespanSeconds, difference_seconds: difference };
  return [{ date, references, context, details: describe(date, netSeconds, timespanSeconds) }];
}

function describe(date: number, net: number, timespans: number): string {
  const total = germanHours(timespans, net);
  return `Der Arbeitstag vom ${germanDate(date)} hat ${germanHours(net, timespans)} Nettoarbeitszeit, seine Zeitabschnitte ergeben ${total}.`;
}
