import { defineCheck } from '../check.js';
import { germanDate, germanHours } from '../german.js';
import { numberOption, secondsOfHours } from '../options.js';
import { isIn } from '../subject.js';

export const excessiveDailyHours = defineCheck({
  code: 'excessive-daily-hours',
  group: 'legal-violations',
  title: 'Verdacht auf zu lange Tagesarbeitszeit',
  description:
    'Die Nettoarbeitszeit eines Datums liegt über der Höchstgrenze. Werktäglich sind 8 Stunden zulässig, bis zu 10 Stunden nur, wenn sie im ' +
    'Ausgleichszeitraum ausgeglichen werden (§ 3 ArbZG); Ausnahmen lassen § 7 und § 14 ArbZG zu.',
  options: { max_hours: numberOption(10) },
  find({ workedDays, month }, { max_hours }) {
    const max = secondsOfHours(max_hours);
    return workedDays
      .filter(({ day, netSeconds }) => isIn(month, day) && netSeconds > max)
      .map(({ day, workdays, netSeconds }) => ({
        date: day,
        references: workdays.map(({ id }) => ['workday', id]),
        context: { net_working_seconds: netSeconds, max_working_seconds: max },
        details: `Verdacht: Am ${germanDate(day)} wurden ${germanHours(netSeconds, max)} gearbeitet, zulässig sind ${germanHours(max)}.`,
      }));
  },
});
