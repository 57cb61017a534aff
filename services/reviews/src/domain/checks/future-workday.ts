import { formatLocalDateTime } from '@stechuhr/worktime';
import { defineCheck } from '../check.js';
import { germanDate, germanTime } from '../german.js';
import { numberOption } from '../options.js';

export const futureWorkday = defineCheck({
  code: 'future-workday',
  group: 'conflicts',
  title: 'Arbeitstag in der Zukunft',
  description:
    'Ein Arbeitstag beginnt oder endet später als jetzt. Aufzuzeichnen ist geleistete, nicht geplante Arbeitszeit ' +
    '(§ 16 Abs. 2 ArbZG, § 17 Abs. 1 MiLoG); meist ist die Uhr eines Geräts verstellt oder ein Datum vertippt.',
  options: { tolerance_seconds: numberOption(300) },
  find: ({ monthWorkdays, now }, { tolerance_seconds }) =>
    monthWorkdays
      .filter(({ startedAt, endedAt }) => Math.max(startedAt, endedAt ?? startedAt) > now + tolerance_seconds)
      .map(({ id, date, startedAt, endedAt }) => ({
        date,
        references: [['workday', id]],
        context: { started_at: formatLocalDateTime(startedAt) },
        details: `Der Arbeitstag vom ${germanDate(date)} (ab ${germanTime(startedAt)}${endedAt === null ? '' : ` bis ${germanTime(endedAt)}`}) liegt ganz oder teilweise in der Zukunft.`,
      })),
});
