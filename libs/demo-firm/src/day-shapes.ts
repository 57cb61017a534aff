import { addDays, dayPlan, monthOf, weekday, type EpochDay, type Terms } from '@stechuhr/worktime';
import type { Firm } from './firm.js';
import type { Person } from './people.js';
import { createRandom } from './random.js';

/** The pattern of a workday: normal, or one of the irregularities of construction sites that a review should find. */
export type Shape = 'normal' | 'night' | 'saturday' | 'long' | 'short-break' | 'on-call' | 'fragmented' | 'missing';

/** The data that determines the workdays of a person. */
export interface Working {
  readonly firm: Firm;
  readonly person: Person;
  readonly terms: Terms;
  /** The part of each day that the person is absent, 0.5 or 1. */
  readonly absentPart: ReadonlyMap<EpochDay, number>;
}

const SATURDAY = 5;

/** Whether a crew works at night: a concrete pour from Friday to Saturday, or a road closure from Saturday to Sunday. */
function isNightOfCrew({ firm, person }: Working, day: EpochDay): boolean {
  const { trade } = person.post;
  const night = trade === 'building' ? 4 : trade === 'civil' ? SATURDAY : null;
  if (night === null || weekday(day) !== night || !isCrew(person)) return false;
  return (
    createRandom(firm.seed, 'night', person.block, trade, day).chance(0.16) && createRandom(firm.seed, 'crew', person.key, day).chance(0.7)
  );
}

/** Apprentices and temporary helpers do not work at night or on weekends (JArbSchG §14, §16). */
function isCrew({ post }: Person): boolean {
  return post.agreement === 'site' && post.tenure === 'permanent';
}

/** Returns the pattern of a day with planned work. */
export function shapeOfPlannedDay(working: Working, day: EpochDay): Shape {
  const { firm, person } = working;
  if (working.absentPart.has(day)) return 'normal';
  if (isNightOfCrew(working, day) && isSameMonth(day, addDays(day, 1)) && !working.absentPart.has(addDays(day, 1))) return 'night';
  const draw = createRandom(firm.seed, 'shape', person.key, day).next();
  if (draw < 0.012) return 'short-break';
  if (draw < 0.021) return person.isLimited || person.post.trade === 'office' ? 'normal' : 'long';
  if (draw < 0.0245) return 'missing';
  if (draw < 0.0265) return person.post.trade === 'civil' ? 'on-call' : 'normal';
  return draw < 0.0275 ? 'fragmented' : 'normal';
}

/** Returns the pattern of a Saturday without planned work; null if nobody works. People only work after having worked on Friday. */
export function shapeOfSaturday(working: Working, day: EpochDay): 'night' | 'saturday' | null {
  const { firm, person, terms, absentPart } = working;
  const friday = addDays(day, -1);
  if (weekday(day) !== SATURDAY || !isCrew(person) || terms.holidays.isHoliday(day) || absentPart.has(day) || absentPart.has(friday))
    return null;
  if (dayPlan(terms, friday).plannedSeconds === 0 || isNightOfCrew(working, friday)) return null;
  if (isNightOfCrew(working, day)) return isSameMonth(day, addDays(day, 1)) ? 'night' : null;
  return createRandom(firm.seed, 'saturday', person.block, person.post.trade, day).chance(0.12) &&
    createRandom(firm.seed, 'volunteer', person.key, day).chance(0.5)
    ? 'saturday'
    : null;
}

/** Night shifts must not extend into another month, because their time would have to be split between two accounts. */
function isSameMonth(a: EpochDay, b: EpochDay): boolean {
  return monthOf(a).month === monthOf(b).month;
}
