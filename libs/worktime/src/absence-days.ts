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
 * planned day; several absences of a type count once, with the largest day part; any sick absence removes vacation from its date. A type
 * that is not configured counts as `other`, not credited.
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
  const entries = [...found.values()].flatMap((days) => [...days.values()]).sort(compareDays);
  const sickDays = new Set(entries.filter((entry) => entry.category === 'sick').map((entry) => entry.day));
  return entries.filter((entry) => !(entry.category === 'vacation' && sickDays.has(entry.day)));
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
