import { defineCheck, type Found } from '../check.js';
import { germanDate, germanHours, germanTime } from '../german.js';
import { numberOption, secondsOfHours } from '../options.js';
import { isIn, type ClosedWorkday } from '../subject.js';

export const insufficientRestPeriod = defineCheck({
  code: 'insufficient-rest-period',
  group: 'legal-violations',
  title: 'Verdacht auf zu kurze Ruhezeit',
  description:
    'Zwischen dem Ende der Arbeit und ihrem Beginn am nächsten Arbeitstag liegen weniger als 11 Stunden Ruhezeit (§ 5 Abs. 1 ArbZG). ' +
    'Kürzungen für einzelne Branchen (§ 5 Abs. 2 ArbZG) und Tarifverträge (§ 7 ArbZG) sind nicht berücksichtigt. Unmittelbar anschließende ' +
    'Schichten gelten als eine.',
  options: { min_hours: numberOption(11) },
  find({ workedDays, month }, { min_hours }) {
    const required = secondsOfHours(min_hours);
    const found: Found[] = [];
    let last: ClosedWorkday | undefined;
    for (const { day, workdays } of workedDays) {
      const [first] = workdays;
      const rest = last === undefined ? 0 : first.startedAt - last.endedAt;
      if (last !== undefined && isIn(month, day) && rest > 0 && rest < required) found.push(restOf(last, first, required));
      for (const workday of workdays) if (last === undefined || workday.endedAt > last.endedAt) last = workday;
    }
    return found;
  },
});

function restOf(last: ClosedWorkday, first: ClosedWorkday, required: number): Found {
  const rest = first.startedAt - last.endedAt;
  return {
    date: first.date,
    references: [
      ['workday', last.id],
      ['workday', first.id],
    ],
    context: { rest_seconds: rest, required_rest_seconds: required },
    details: `Verdacht: Vor dem Arbeitsbeginn am ${germanDate(first.date)} um ${germanTime(first.startedAt)} lagen nur ${germanHours(rest, required)} Ruhezeit, nötig sind ${germanHours(required)}.`,
  };
}
