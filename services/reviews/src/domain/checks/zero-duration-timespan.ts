import { defineCheck } from '../check.js';
import { germanDate, germanTime } from '../german.js';
import { isClosed } from '../subject.js';

export const zeroDurationTimespan = defineCheck({
  code: 'zero-duration-timespan',
  group: 'anomalies',
  title: 'Zeitabschnitt ohne Dauer',
  description:
    'Ein Zeitabschnitt endet in dem Augenblick, in dem er beginnt. Meist wurde versehentlich gestempelt; aufzuzeichnen ist die ' +
    'tatsächliche Dauer (§ 16 Abs. 2 ArbZG, § 17 Abs. 1 MiLoG).',
  options: {},
  find: ({ monthWorkdays }) =>
    monthWorkdays.filter(isClosed).flatMap(({ date, timespans }) =>
      timespans
        .filter(({ startedAt, endedAt }) => startedAt === endedAt)
        .map(({ id, type, startedAt }) => ({
          date,
          references: [['timespan', id] as const],
          context: {},
          details: `${type === 'work' ? 'Der Arbeitsabschnitt' : 'Die Pause'} um ${germanTime(startedAt)} am ${germanDate(date)} hat keine Dauer.`,
        })),
    ),
});
