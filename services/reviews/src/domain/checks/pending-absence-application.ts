import { formatLocalDate } from '@stechuhr/worktime';
import { defineCheck } from '../check.js';
import { germanDate } from '../german.js';

export const pendingAbsenceApplication = defineCheck({
  code: 'pending-absence-application',
  group: 'missing-data',
  title: 'Offener Abwesenheitsantrag',
  description:
    'Ein Antrag auf Abwesenheit in diesem Monat ist noch nicht entschieden. Urlaub kann nur aus dringenden betrieblichen Gründen oder ' +
    'wegen vorrangiger Wünsche anderer abgelehnt werden (§ 7 Abs. 1 BUrlG); ohne Entscheidung fehlt er in der Abrechnung.',
  options: {},
  find: ({ applications, month }) =>
    applications
      .filter(({ isPending, startsOn, endsOn }) => isPending && startsOn <= month.last && endsOn >= month.first)
      .map(({ id, startsOn, endsOn }) => ({
        date: Math.max(startsOn, month.first),
        references: [['absence-application', id]],
        context: { starts_on: formatLocalDate(startsOn), ends_on: formatLocalDate(endsOn) },
        details: `Der Antrag für ${periodOf(startsOn, endsOn)} ist noch nicht entschieden.`,
      })),
});

function periodOf(startsOn: number, endsOn: number): string {
  return startsOn === endsOn ? `den ${germanDate(startsOn)}` : `${germanDate(startsOn)} bis ${germanDate(endsOn)}`;
}
