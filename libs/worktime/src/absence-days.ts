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
  for (const alike of groupsOf(absences)) {
    const [{ missingType }] = alike;
    const days = found.get(missingType) ?? new Map<EpochDay, AbsenceDay>();
    found.set(missingType, days);
    const free = new FreeDays();
    for (const absence of alike.sort(byHours)) {
      for (const entry of daysOf(absence, byType.get(missingType), terms, { range, free })) {
        const known = days.get(entry.day);
        if (known === undefined || compareDays(entry, known) < 0) days.set(entry.day, entry);
      }
    }
  }
  const ofTypes = [...found.values()].flatMap((days) => [...days.values()]).sort(compareDays);
  const entries = found.size > 1 ? withinDays(ofTypes, types) : ofTypes;
  const sickDays = new Set(entries.filter((entry) => entry.category === 'sick').map((entry) => entry.day));
  return entries.filter((entry) => !(entry.category === 'vacation' && sickDays.has(entry.day)));
}

type Alike = [Absence, ...Absence[]];

/** Groups absences of which only the one with the most hours counts on a date. Hours as planned depend on the date, so they are a group. */
function groupsOf(absences: readonly Absence[]): Iterable<Alike> {
  const groups = new Map<string, Alike>();
  for (const absence of absences) {
    const key = `${String(absence.dayPart)}/${String(absence.hoursPerDay === null)}/${absence.missingType}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [absence]);
    else group.push(absence);
  }
  return groups.values();
}

function byHours(a: Absence, b: Absence): number {
  return (b.hoursPerDay ?? 0) - (a.hoursPerDay ?? 0);
}

/**
 * The days that no absence of a group has taken yet. Each day is visited once, however many absences contain it: otherwise thousands of
 * overlapping absences would take minutes.
 */
class FreeDays {
  /** For each taken day, a later day before which no day is free. */
  readonly #next = new Map<EpochDay, EpochDay>();

  /** Takes the free days from `first` to `last`. */
  *take(first: EpochDay, last: EpochDay): Generator<EpochDay, void, undefined> {
    for (let day = this.#firstFrom(first); day <= last; day = this.#firstFrom(day)) {
      this.#next.set(day, day + 1);
      yield day;
    }
  }

  #firstFrom(day: EpochDay): EpochDay {
    let free = day;
    for (let next = this.#next.get(free); next !== undefined; next = this.#next.get(free)) free = next;
    // Days on the way lead to the result directly from now on.
    for (let at = day; at < free;) {
      const next = this.#next.get(at) ?? free;
      this.#next.set(at, free);
      at = next;
    }
    return free;
  }
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

interface Days {
  readonly range: DateRange;
  readonly free: FreeDays;
}

function* daysOf(
  absence: Absence,
  type: AbsenceType | undefined,
  terms: Terms,
  { range, free }: Days,
): Generator<AbsenceDay, void, undefined> {
  for (const day of free.take(Math.max(absence.startsOn, range.first), Math.min(absence.endsOn, range.last))) {
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
