import type { Absence, AbsenceCategory, AbsenceType, EpochDay } from './records.js';
import { AbsencesOfType, type CountedAbsence } from './absences-of-type.js';
import { unionOf, type DateRange } from './intervals.js';
import { dayPlan, type Terms } from './planned.js';

/** The absence of one type on one date. */
export interface AbsenceDay {
  readonly day: EpochDay;
  readonly missingType: string;
  readonly category: AbsenceCategory;
  readonly credited: boolean;
  /** 1 or 0.5. */
  readonly dayPart: number;
  readonly seconds: number;
}

/**
 * Returns the absence days of an employee in a range, sorted by date, then type (docs/rules/working-time.md#absence-days).
 *
 * - Only planned days count.
 * - Several absences of one type on a date count once, with the largest day part.
 * - Types of one category count as at most one day per date.
 * - A sick absence removes vacation from its date.
 * - Types that are not configured count as `other` and are not credited.
 *
 * They are returned one by one: an employee may be absent for reasons of hundreds of types on each day of many years, and all these days
 * together take more memory than a process has.
 */
export function* absenceDays(
  absences: readonly Absence[],
  types: readonly AbsenceType[],
  terms: Terms,
  { first, last }: DateRange,
): Generator<AbsenceDay, void, undefined> {
  if (absences.length === 0) return;
  const places = new Map(types.map((type, place) => [type.value, { ...type, place }]));
  const ofTypes = Array.from(
    Map.groupBy(absences, ({ missingType }) => missingType),
    ([missingType, own]): TypeOfAbsence => {
      const { category = 'other', credited = false, place = types.length } = places.get(missingType) ?? {};
      return { missingType, category, credited, place, absences: new AbsencesOfType(own) };
    },
  ).sort((a, b) => (a.missingType < b.missingType ? -1 : 1));
  const covered = unionOf(absences.map(({ startsOn, endsOn }) => ({ from: Math.max(startsOn, first), to: Math.min(endsOn, last) + 1 })));
  for (const { from, to } of covered) {
    for (let day = from; day < to; day += 1) {
      const plan = dayPlan(terms, day);
      if (!plan.isPlannedDay) continue;
      for (const { type, dayPart, seconds } of countedTogether(candidatesOn(day, plan.plannedSeconds, ofTypes))) {
        const { missingType, category, credited } = type;
        yield { day, missingType, category, credited, dayPart, seconds: Math.round(seconds * dayPart) };
      }
    }
  }
}

/** The absences of a type, and how it is configured. */
interface TypeOfAbsence extends Pick<AbsenceDay, 'missingType' | 'category' | 'credited'> {
  /** Its place among the types of the institution. */
  readonly place: number;
  readonly absences: AbsencesOfType;
}

/** What counts of a type on a date unless other types prevent it. */
interface Candidate extends CountedAbsence {
  readonly type: TypeOfAbsence;
}

function candidatesOn(day: EpochDay, plannedSeconds: number, ofTypes: readonly TypeOfAbsence[]): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (const type of ofTypes) {
    const counted = type.absences.on(day, plannedSeconds);
    if (counted !== undefined) candidates.push({ type, dayPart: counted.dayPart, seconds: counted.seconds });
  }
  return candidates;
}

/** Returns the candidates of one date that count together, in their order. */
function countedTogether(candidates: readonly Candidate[]): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  const isSick = candidates.some(({ type }) => type.category === 'sick');
  const counting = new Set<Candidate>();
  for (const [category, own] of Map.groupBy(candidates, ({ type }) => type.category)) {
    if (category === 'vacation' && isSick) continue;
    for (const candidate of category === 'other' ? own : withinDay(own)) counting.add(candidate);
  }
  return candidates.filter((candidate) => counting.has(candidate));
}

/**
 * Limits the types of one category to one day, since nobody can be on leave twice on a date. Larger parts take precedence, then the type
 * that the institution lists first. Types of category `other` are not limited, because their meaning is unknown.
 */
function* withinDay(candidates: readonly Candidate[]): Generator<Candidate, void, undefined> {
  let left = 1;
  for (let rest = candidates; ;) {
    const fitting = rest.filter(({ dayPart }) => dayPart <= left);
    const [first] = fitting;
    if (first === undefined) return;
    const best = fitting.reduce((known, candidate) => (isPreferred(candidate, known) ? candidate : known), first);
    yield best;
    left -= best.dayPart;
    rest = fitting.filter((candidate) => candidate !== best);
  }
}

function isPreferred(candidate: Candidate, than: Candidate): boolean {
  return candidate.dayPart > than.dayPart || (candidate.dayPart === than.dayPart && candidate.type.place < than.type.place);
}
