import type { Absence, AbsenceCategory, AbsenceType, EpochDay } from './records.js';
import type { DateRange } from './intervals.js';
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
 */
export function absenceDays(
  absences: readonly Absence[],
  types: readonly AbsenceType[],
  terms: Terms,
  range: DateRange,
): readonly AbsenceDay[] {
  if (absences.length === 0) return [];
  const byType = new Map(types.map((type) => [type.value, type]));
  // Of overlapping absences, only the one that counts is stored, so that many of them take no more memory than one.
  const found = new Map<string, Map<EpochDay, AbsenceDay>>();
  for (const absence of absences) {
    const days = found.get(absence.missingType) ?? new Map<EpochDay, AbsenceDay>();
    found.set(absence.missingType, days);
    for (const entry of daysOf(absence, byType.get(absence.missingType), terms, range)) {
      const known = days.get(entry.day);
      if (known === undefined || compareDays(entry, known) < 0) days.set(entry.day, entry);
    }
  }
  const ofTypes = [...found.values()].flatMap((days) => [...days.values()]).sort(compareDays);
  const entries = found.size > 1 ? withinDays(ofTypes, types) : ofTypes;
  const sickDays = new Set(entries.filter((entry) => entry.category === 'sick').map((entry) => entry.day));
  return entries.filter((entry) => !(entry.category === 'vacation' && sickDays.has(entry.day)));
}

/**
 * Limits the types of one category to one day per date, since nobody can be on leave twice on a date. Larger parts take precedence, then
 * the type that the institution lists first. Types of category `other` are not limited, because their meaning is unknown.
 */
function withinDays(entries: readonly AbsenceDay[], types: readonly AbsenceType[]): readonly AbsenceDay[] {
  const places = new Map(types.map(({ value }, place) => [value, place]));
  const placeOf = ({ missingType }: AbsenceDay): number => places.get(missingType) ?? types.length;
  const taken = new Map<string, number>();
  const counting = new Set<AbsenceDay>();
  for (const entry of entries.toSorted((a, b) => b.dayPart - a.dayPart || placeOf(a) - placeOf(b))) {
    const place = `${entry.category}/${String(entry.day)}`;
    const part = (taken.get(place) ?? 0) + entry.dayPart;
    if (part > 1 && entry.category !== 'other') continue;
    taken.set(place, part);
    counting.add(entry);
  }
  return entries.filter((entry) => counting.has(entry));
}

function* daysOf(absence: Absence, type: AbsenceType | undefined, terms: Terms, range: DateRange): Generator<AbsenceDay, void, undefined> {
  const last = Math.min(absence.endsOn, range.last);
  for (let day = Math.max(absence.startsOn, range.first); day <= last; day += 1) {
    const plan = dayPlan(terms, day);
    if (!plan.isPlannedDay) continue;
    const whole = absence.hoursPerDay === null ? plan.plannedSeconds : absence.hoursPerDay * 3600;
    yield {
      day,
      missingType: absence.missingType,
      category: type?.category ?? 'other',
      credited: type?.credited ?? false,
      dayPart: absence.dayPart,
      seconds: Math.round(whole * absence.dayPart),
    };
  }
}

/** Sorts by date and type; of absences of the same type and date, the one that counts comes first. */
function compareDays(a: AbsenceDay, b: AbsenceDay): number {
  if (a.day !== b.day) return a.day - b.day;
  if (a.missingType !== b.missingType) return a.missingType < b.missingType ? -1 : 1;
  return b.dayPart - a.dayPart || b.seconds - a.seconds;
}
