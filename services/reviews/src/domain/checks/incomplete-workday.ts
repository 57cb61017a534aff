import { defineCheck } from '../check.js';
import { germanDate, germanTime } from '../german.js';
import { numberOption, secondsOfHours } from '../options.js';
import { isClosed } from '../subject.js';

export const incompleteWorkday = defineCheck({
  code: 'incomplete-workday',
  group: 'missing-data',
  title: 'Arbeitstag nicht beendet',
  description:
    'Ein Arbeitstag wurde begonnen, hat aber kein Ende. Seine Arbeitszeit zählt nicht, bis das Ende nachgetragen ist. ' +
    'Beginn, Ende und Dauer der Arbeitszeit sind aufzuzeichnen (§ 16 Abs. 2 ArbZG, § 17 Abs. 1 MiLoG; BAG, 13.09.2022, 1 ABR 22/21). ' +
    'Am laufenden Tag wird erst nach der eingestellten Zahl von Stunden gewarnt.',
  options: { open_hours: numberOption(18) },
  find({ monthWorkdays, now, today }, { open_hours }) {
    const isForgotten = (date: number, openSeconds: number) => date < today || (date === today && openSeconds > secondsOfHours(open_hours));
    return monthWorkdays
      .filter((workday) => !isClosed(workday) && workday.startedAt <= now && isForgotten(workday.date, now - workday.startedAt))
      .map(({ id, date, startedAt }) => ({
        date,
        references: [['workday', id]],
        context: {},
        details: `Der Arbeitstag vom ${germanDate(date)} begann um ${germanTime(startedAt)} und hat kein Ende.`,
      }));
  },
});
