import { unionOf, type Interval } from '@stechuhr/worktime';
import { defineCheck, type Found } from '../check.js';
import { germanDate, germanHours, germanMinutes } from '../german.js';
import { choiceOption, numberOption, secondsOfMinutes } from '../options.js';
import { isIn, type WorkedDay } from '../subject.js';

type Boundary = 'spec' | 'statutory';

/** In descending order: only the first step that applies is required. */
const STEPS = [
  { netSeconds: 9 * 3600, breakSeconds: 45 * 60 },
  { netSeconds: 6 * 3600, breakSeconds: 30 * 60 },
];

export const insufficientBreak = defineCheck({
  code: 'insufficient-break',
  group: 'legal-violations',
  title: 'Verdacht auf zu kurze Pause',
  description:
    'Ab 6 Stunden Arbeit sind mindestens 30 Minuten Pause nötig, ab 9 Stunden mindestens 45 Minuten (§ 4 ArbZG). Als Pause zählen ' +
    'erfasste Pausen und Lücken zwischen den Arbeitstagen eines Datums, beide erst ab 15 Minuten am Stück (§ 4 Satz 2 ArbZG); kürzere zählen weder als Pause ' +
    'noch als Arbeit. Mit der Einstellung „statutory“ wird wie im Gesetz erst bei mehr als 6 oder 9 Stunden geprüft.',
  options: { boundary: choiceOption<Boundary>('spec', 'statutory'), min_piece_minutes: numberOption(15, { max: 1440 }) },
  find: ({ workedDays, month }, { boundary, min_piece_minutes }) =>
    workedDays
      .filter(({ day }) => isIn(month, day))
      .flatMap((worked) => shortfallOf(worked, requiredBreak(worked.netSeconds, boundary), secondsOfMinutes(min_piece_minutes))),
});

function requiredBreak(net: number, boundary: Boundary): number {
  const step = STEPS.find(({ netSeconds }) => (boundary === 'spec' ? net >= netSeconds : net > netSeconds));
  return step?.breakSeconds ?? 0;
}

function shortfallOf(worked: WorkedDay, required: number, minPiece: number): readonly Found[] {
  if (required === 0) return [];
  const { day, workdays, netSeconds } = worked;
  const actual = breakSeconds(worked, minPiece);
  if (actual >= required) return [];
  return [
    {
      date: day,
      references: workdays.map(({ id }) => ['workday', id]),
      context: { net_working_seconds: netSeconds, actual_break_seconds: actual, required_break_seconds: required },
      details: `Verdacht: Am ${germanDate(day)} stehen ${germanHours(netSeconds)} Arbeit nur ${germanMinutes(actual, required)} Pause gegenüber, nötig sind ${germanMinutes(required)}.`,
    },
  ];
}

/**
 * Returns the counted break time in seconds. Adjacent pieces form one break, whether they were recorded or are gaps between two workdays
 * (docs/rules/reviews.md#what-is-checked).
 */
function breakSeconds({ workdays }: WorkedDay, minPiece: number): number {
  const [first] = workdays;
  let seconds = 0;
  for (const { from, to } of workdays.length === 1 ? first.breaks : pausesOf(workdays)) if (to - from >= minPiece) seconds += to - from;
  return seconds;
}

function pausesOf(workdays: WorkedDay['workdays']): readonly Interval[] {
  const recorded = workdays.flatMap(({ breaks }) => breaks);
  const presence = unionOf(workdays.map(({ startedAt, endedAt }) => ({ from: startedAt, to: endedAt })));
  return unionOf([...recorded, ...gapsOf(presence)]);
}

function gapsOf(presence: readonly Interval[]): readonly Interval[] {
  return presence.flatMap(({ to }, index) => {
    const next = presence[index + 1];
    return next === undefined ? [] : [{ from: to, to: next.from }];
  });
}
