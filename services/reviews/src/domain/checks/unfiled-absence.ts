import { dayPlan } from '@stechuhr/worktime';
import { defineCheck, type Found } from '../check.js';
import { germanDate, germanHours } from '../german.js';
import type { Subject } from '../subject.js';

export const unfiledAbsence = defineCheck({
  code: 'unfiled-absence',
  group: 'missing-data',
  title: 'Abwesenheit ohne Eintrag',
  description:
    'An einem vergangenen Tag mit Sollzeit gibt es weder einen Arbeitstag noch eine Abwesenheit noch einen offenen Antrag. ' +
    'Ob Lohn zu zahlen ist, hängt vom Grund ab (§ 614, § 616 BGB, § 3 EFZG, § 11 BUrlG); eine Erkrankung ist unverzüglich anzuzeigen (§ 5 Abs. 1 EFZG).',
  options: {},
  find(subject) {
    const { month, today, terms } = subject;
    const last = Math.min(month.last, today - 1);
    const worked = new Set(subject.monthWorkdays.map(({ date }) => date));
    const found: Found[] = [];
    for (let date = month.first; date <= last; date += 1) {
      if (worked.has(date)) continue;
      const { plannedSeconds } = dayPlan(terms, date);
      if (plannedSeconds === 0 || isExplained(subject, date)) continue;
      const details = `Am ${germanDate(date)} waren ${germanHours(plannedSeconds)} geplant, aber es ist nichts erfasst.`;
      found.push({ date, references: [], context: { planned_seconds: plannedSeconds }, details });
    }
    return found;
  },
});

function isExplained({ absences, applications }: Subject, date: number): boolean {
  const covers = ({ startsOn, endsOn }: { readonly startsOn: number; readonly endsOn: number }) => startsOn <= date && date <= endsOn;
  return absences.some(covers) || applications.some((application) => application.isPending && covers(application));
}
