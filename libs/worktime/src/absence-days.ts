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
 * The absence days of an employee inside a range, by date, then type (docs/rules/working-time.md#absence-days). A date counts when it is a
 * planned day; several absences of a type count once, with the largest day part; types of one category count as one day at most; any sick
 * absence removes vacation from its date. A type that is not configured counts as `other`, not credited.
 */
export function absenceDays(
  absences: readonly Absence[],
  types: readonly AbsenceType[],
  terms: Terms,
  range: DateRange,
): readonly AbsenceDay[] {
  if (absences.length === 0) return [];
  const byType = new Map(types.map((type) => [type.value, type]));
  // Of absences that overlap only the one that counts is kept, so that many of them take no more memory than one.
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
 * Without what types of one category have beyond a day: whoever is on leave twice on one date is on leave once. Larger parts count first, then
 * the type that the institution lists first. What several `other` types mean together is not known.
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

/** Puts the absence that counts first among those of its type and date. */
function compareDays(a: AbsenceDay, b: AbsenceDay): number {
  if (a.day !== b.day) return a.day - b.day;
  if (a.missingType !== b.missingType) return a.missingType < b.missingType ? -1 : 1;
  return b.dayPart - a.dayPart || b.seconds - a.seconds;
}
