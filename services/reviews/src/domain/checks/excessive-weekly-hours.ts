import { isoWeek, weekday, type EpochDay } from '@stechuhr/worktime';
import { defineCheck, type Found } from '../check.js';
import { germanDate, germanHours } from '../german.js';
import { numberOption, secondsOfHours } from '../options.js';
import { isIn, type WorkedDay } from '../subject.js';

export const excessiveWeeklyHours = defineCheck({
  code: 'excessive-weekly-hours',
  group: 'legal-violations',
  title: 'Verdacht auf zu lange Wochenarbeitszeit',
  description:
    'Die Nettoarbeitszeit einer Kalenderwoche (Montag bis Sonntag) liegt über der Höchstgrenze. Aus 8 Stunden an 6 Werktagen folgen 48 Stunden im ' +
    'Durchschnitt des Ausgleichszeitraums (§ 3 ArbZG, Art. 6 der Richtlinie 2003/88/EG); eine einzelne Woche darf darüber liegen, muss aber ' +
    'ausgeglichen werden. Gemeldet wird der Tag, an dem die Grenze überschritten wird.',
  options: { max_hours: numberOption(48) },
  find({ workedDays, month }, { max_hours }) {
    const max = secondsOfHours(max_hours);
    const weeks = Map.groupBy(workedDays, ({ day }) => day - weekday(day));
    return Array.from(weeks.values()).flatMap((days) => {
      const passed = upToPassing(days, max);
      const date = passed?.at(-1)?.day;
      return passed === undefined || date === undefined || !isIn(month, date) ? [] : [excessOf(passed, date, max)];
    });
  },
});

/** Returns the days up to the one on which the running sum exceeds the maximum; undefined if it never does. */
function upToPassing(days: readonly WorkedDay[], max: number): readonly WorkedDay[] | undefined {
  let sum = 0;
  const index = days.findIndex(({ netSeconds }) => (sum += netSeconds) > max);
  return index < 0 ? undefined : days.slice(0, index + 1);
}

function excessOf(days: readonly WorkedDay[], date: EpochDay, max: number): Found {
  const { year, week } = isoWeek(date);
  const net = days.reduce((sum, { netSeconds }) => sum + netSeconds, 0);
  const workdays = days.flatMap((day) => day.workdays);
  return {
    date,
    references: workdays.map(({ id }) => ['workday', id]),
    context: {
      week: `${String(year)}-W${String(week).padStart(2, '0')}`,
      net_working_seconds: net,
      max_working_seconds: max,
    },
    details: `Verdacht: In der Kalenderwoche ${String(week)}/${String(year)} wurden bis zum ${germanDate(date)} ${germanHours(net, max)} gearbeitet, zulässig sind ${germanHours(max)}.`,
  };
}
