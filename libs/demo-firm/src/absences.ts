import {
  addDays,
  calendarDate,
  epochDay,
  firstDayOfMonth,
  formatLocalDate,
  lastDayOfMonth,
  weekday,
  type Absence,
  type EpochDay,
} from '@stechuhr/worktime';
import type { AbsenceDraft, MissingType } from './absence-types.js';
import { idOf, type Firm } from './firm.js';
import type { Person } from './people.js';
import { createRandom, type Random } from './random.js';
import type { AbsenceRecord } from './records.js';
import { vacationsOf } from './vacations.js';

/** An absence, and the day on which the company learned of it; records contain it from then on. */
export interface KnownAbsence extends Absence {
  readonly missingType: MissingType;
  readonly knownOn: EpochDay;
  /** Date of its application; null if it needs none. */
  readonly requestedOn: EpochDay | null;
}

const SICK_DAYS = [1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 5, 8, 12, 19] as const;
const SCHOOL_DAY = 1;

/** Returns all absences of a person that begin in a calendar year, including those that become known later. */
export function absencesOf(firm: Firm, person: Person, year: number): readonly KnownAbsence[] {
  const vacations = vacationsOf(firm, person, year);
  const illness = illnessOf(firm, person, year);
  const taken = new Set([...vacations, ...illness].flatMap(daysOf));
  // Only illness may overlap a vacation, where it takes precedence; anything else would be credited twice.
  const others = [...schoolDaysOf(person, year), ...singleDaysOf(firm, person, year)].filter((draft) => {
    const isFree = !daysOf(draft).some((day) => taken.has(day));
    if (isFree) for (const day of daysOf(draft)) taken.add(day);
    return isFree;
  });
  return [...vacations, ...illness, ...others].flatMap((draft) => whileEmployed(person, draft)).map((draft) => withId(firm, person, draft));
}

export function daysOf({ startsOn, endsOn }: Pick<Absence, 'startsOn' | 'endsOn'>): readonly EpochDay[] {
  return Array.from({ length: endsOn - startsOn + 1 }, (_, index) => addDays(startsOn, index));
}

function whileEmployed({ employment }: Person, draft: AbsenceDraft): readonly AbsenceDraft[] {
  const startsOn = Math.max(draft.startsOn, employment.hiredOn);
  const endsOn = Math.min(draft.endsOn, employment.leftOn ?? draft.endsOn);
  return startsOn <= endsOn ? [{ ...draft, startsOn, endsOn }] : [];
}

function withId(firm: Firm, person: Person, draft: AbsenceDraft): KnownAbsence {
  return {
    dayPart: 1,
    hoursPerDay: null,
    requestedOn: null,
    ...draft,
    id: idOf(firm, `absence/${person.key}/${draft.missingType}/${formatLocalDate(draft.startsOn)}`),
  };
}

/** Illness is more frequent in winter; each period ends within its month, so that periods never overlap. */
function illnessOf(firm: Firm, person: Person, year: number): readonly AbsenceDraft[] {
  const drafts: AbsenceDraft[] = [];
  for (let month = 1; month <= 12; month++) {
    const random = createRandom(firm.seed, 'sick', person.key, year, month);
    if (!random.chance(month >= 4 && month <= 9 ? 0.16 : 0.3)) continue;
    const startsOn = addDays(firstDayOfMonth({ year, month }), random.int(0, 27));
    const endsOn = Math.min(addDays(startsOn, random.pick(SICK_DAYS) - 1), lastDayOfMonth({ year, month }));
    drafts.push({ missingType: 'sick', startsOn, endsOn, knownOn: startsOn });
  }
  return drafts;
}

/** Apprentices go to school every Tuesday from mid-September to late July; eight hours are credited. */
function schoolDaysOf(person: Person, year: number): readonly AbsenceDraft[] {
  if (person.post.tenure !== 'apprentice') return [];
  const drafts: AbsenceDraft[] = [];
  for (let day = epochDay(year, 1, 8); day <= epochDay(year, 12, 18); day = addDays(day, 1)) {
    const isHolidays = day > epochDay(year, 7, 24) && day < epochDay(year, 9, 15);
    if (weekday(day) !== SCHOOL_DAY || isHolidays) continue;
    drafts.push({ missingType: 'vocational-school', startsOn: day, endsOn: day, hoursPerDay: 8, knownOn: addDays(day, -30) });
  }
  return drafts;
}

/** Occasional single days: time off in lieu, training, moving house, a sick child. */
function singleDaysOf(firm: Firm, person: Person, year: number): readonly AbsenceDraft[] {
  const drafts: AbsenceDraft[] = [];
  for (let month = 1; month <= 12; month++) {
    if (person.post.trait === 'asks-every-month') drafts.push(longWeekend(year, month));
    const random = createRandom(firm.seed, 'single', person.key, year, month);
    const missingType = singleType(random, person);
    if (missingType === null) continue;
    const day = workdayFrom(addDays(firstDayOfMonth({ year, month }), random.int(3, 20)));
    const isSudden = missingType === 'child-sick';
    const requestedOn = addDays(day, -random.int(8, 40));
    drafts.push({
      missingType,
      startsOn: day,
      endsOn: day,
      knownOn: isSudden ? day : addDays(requestedOn, 3),
      ...(isSudden ? {} : { requestedOn }),
    });
  }
  return drafts;
}

/** Time off in lieu on the third Friday of a month, requested well in advance. */
function longWeekend(year: number, month: number): AbsenceDraft {
  const first = firstDayOfMonth({ year, month });
  const friday = addDays(first, ((11 - weekday(first)) % 7) + 14);
  return { missingType: 'time-off', startsOn: friday, endsOn: friday, requestedOn: addDays(first, -40), knownOn: addDays(first, -3) };
}

function singleType(random: Random, person: Person): MissingType | null {
  const draw = random.next();
  if (draw < 0.07) return person.isLimited || person.post.agreement === 'student' ? null : 'time-off';
  if (draw < 0.09) return 'training';
  if (draw < 0.1) return 'special-leave';
  return draw < 0.12 ? 'child-sick' : null;
}

/** Returns the day itself, or the Monday after a weekend. */
export function workdayFrom(day: EpochDay): EpochDay {
  return weekday(day) < 5 ? day : addDays(day, 7 - weekday(day));
}

/** Returns the absences that overlap a range, from the calendars of its years and the previous year (illness over New Year's Eve). */
export function absencesBetween(firm: Firm, person: Person, first: EpochDay, last: EpochDay): readonly KnownAbsence[] {
  const found: KnownAbsence[] = [];
  for (let year = calendarDate(first).year - 1; year <= calendarDate(last).year; year++) {
    found.push(...absencesOf(firm, person, year).filter(({ startsOn, endsOn }) => startsOn <= last && endsOn >= first));
  }
  return found;
}

export function absenceRecord(firm: Firm, employeeId: string, absence: KnownAbsence): AbsenceRecord {
  return {
    kind: 'absence',
    institution_id: firm.institutionId,
    id: absence.id,
    employee_id: employeeId,
    missing_type: absence.missingType,
    starts_on: formatLocalDate(absence.startsOn),
    ends_on: formatLocalDate(absence.endsOn),
    day_part: absence.dayPart === 0.5 ? 0.5 : 1,
    hours_per_day: absence.hoursPerDay,
  };
}
