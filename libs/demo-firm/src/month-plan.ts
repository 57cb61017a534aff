import { dayPlan, firstDayOfMonth, lastDayOfMonth, planTotals, type Absence, type DateRange, type EpochDay } from '@stechuhr/worktime';
import { absenceTypes } from './absence-types.js';
import { shapeOfPlannedDay, shapeOfSaturday, type Shape, type Working } from './day-shapes.js';
import { createRandom } from './random.js';

/** One planned day of work, in minutes without breaks. */
export interface PlannedDay {
  readonly day: EpochDay;
  readonly shape: Shape;
  readonly netMinutes: number;
  /** Length of a second shift in the evening. */
  readonly extraMinutes: number;
}

/** A complete month, independent of the day on which the demo is generated. */
export interface MonthPlan {
  readonly openingMinutes: number;
  readonly days: readonly PlannedDay[];
}

interface DraftDay extends PlannedDay {
  /** How many minutes the day may be shortened or extended to reach the planned balance; 0 if its length is essential for its pattern. */
  readonly slack: number;
}

/** Months with fewer days of work have no irregular days. */
const ORDINARY_DAYS = 12;
const MINUTES_PER_DAY = 12;
const LONGEST_DAY = 595;

/**
 * Plans the months of one person. The balance at the beginning of a month is drawn at random around a level of the person, and the days of
 * the previous month are shortened or extended until they lead to it. So each month can be planned independently, and still opening +
 * balance = next opening.
 */
export function createMonthPlanner(working: Working, absences: readonly Absence[]): (month: number) => MonthPlan {
  const drafts = new Map<number, readonly DraftDay[]>();
  const draftOf = (month: number): readonly DraftDay[] => {
    let draft = drafts.get(month);
    if (draft === undefined) drafts.set(month, (draft = draftDays(working, month)));
    return draft;
  };
  const openingOf = (month: number): number => {
    const room = Math.min(adjustable(draftOf(month - 1)), adjustable(draftOf(month)));
    return (
      levelOf(working, month) +
      Math.round((createRandom(working.firm.seed, 'opening', working.person.key, month).next() * 2 - 1) * room * MINUTES_PER_DAY)
    );
  };
  return (month) => {
    const opening = openingOf(month);
    const days = draftOf(month);
    const balance = balanceOf(working, absences, month, days);
    return { openingMinutes: opening, days: spread(days, openingOf(month + 1) - opening - balance) };
  };
}

/** Returns the number of months since year 0. */
export function monthIndex(year: number, month: number): number {
  return year * 12 + month - 1;
}

export function rangeOfMonth(index: number): DateRange {
  const year = Math.floor(index / 12);
  const month = (index % 12) + 1;
  return { first: firstDayOfMonth({ year, month }), last: lastDayOfMonth({ year, month }) };
}

/** Returns the level around which the account of a person varies, in minutes; 0 at the beginning of the employment. */
function levelOf({ firm, person }: Working, month: number): number {
  if (person.isLimited || rangeOfMonth(month).first <= person.employment.hiredOn) return 0;
  if (person.post.trait === 'long-hours') return 44 * 60;
  const random = createRandom(firm.seed, 'account', person.key);
  return person.post.agreement === 'site' ? random.int(-300, 2400) : random.int(-240, 900);
}

function draftDays(working: Working, month: number): readonly DraftDay[] {
  const { first, last } = rangeOfMonth(month);
  const planned: { day: EpochDay; minutes: number }[] = [];
  for (let day = first; day <= last; day++) {
    const minutes = (dayPlan(working.terms, day).plannedSeconds / 60) * (1 - (working.absentPart.get(day) ?? 0));
    if (minutes > 0) planned.push({ day, minutes });
  }
  if (planned.length < ORDINARY_DAYS) return planned.map((date) => draftDay(working, { ...date, shape: 'normal' }));
  const days = planned.map((date) => draftDay(working, { ...date, shape: shapeOfPlannedDay(working, date.day) }));
  for (let day = first; day <= last; day++) {
    const shape = shapeOfSaturday(working, day);
    if (shape !== null) days.push(draftDay(working, { day, minutes: 0, shape }));
  }
  return days.sort((a, b) => a.day - b.day);
}

function draftDay(working: Working, { day, minutes, shape }: { day: EpochDay; minutes: number; shape: Shape }): DraftDay {
  const random = createRandom(working.firm.seed, 'length', working.person.key, day);
  const fixed = (netMinutes: number): DraftDay => ({ day, shape, netMinutes, extraMinutes: 0, slack: 0 });
  switch (shape) {
    case 'night':
      return fixed(random.int(96, 112) * 5);
    case 'saturday':
      return fixed(random.int(54, 72) * 5);
    case 'long':
      return fixed(random.int(610, 690));
    case 'missing':
      return fixed(0);
    default: {
      const netMinutes = minutes + random.int(-9, 11);
      const extraMinutes = shape === 'on-call' ? random.int(95, 150) : 0;
      return { day, shape, netMinutes, extraMinutes, slack: Math.floor(netMinutes / 2) };
    }
  }
}

function adjustable(days: readonly DraftDay[]): number {
  return days.filter(({ slack }) => slack > 0).length;
}

/**
 * Returns the change of the account in a month in minutes: worked + credited absences − planned
 * (docs/rules/working-time.md#credited-time-and-balance).
 */
function balanceOf({ terms }: Working, absences: readonly Absence[], month: number, days: readonly PlannedDay[]): number {
  const plan = planTotals({ terms, absences, absenceTypes }, rangeOfMonth(month));
  const worked = days.reduce((sum, { netMinutes, extraMinutes }) => sum + netMinutes + extraMinutes, 0);
  return worked + (plan.creditedAbsenceSeconds - plan.planned.seconds) / 60;
}

/** Extends or shortens days by a total number of minutes, distributed evenly as far as each day allows. */
function spread(days: readonly DraftDay[], minutes: number): readonly PlannedDay[] {
  const nets = days.map(({ netMinutes }) => netMinutes);
  const isLonger = minutes > 0;
  const room = days.map(({ slack, netMinutes }) => (isLonger ? Math.max(0, Math.min(slack, LONGEST_DAY - netMinutes)) : slack));
  for (let left = Math.abs(minutes), open = room.filter((size) => size > 0).length; left > 0 && open > 0;) {
    const share = Math.max(1, Math.floor(left / open));
    open = 0;
    for (const [index, size] of room.entries()) {
      const step = Math.min(share, size, left);
      nets[index] = (nets[index] ?? 0) + (isLonger ? step : -step);
      room[index] = size - step;
      left -= step;
      if (size > step) open += 1;
    }
  }
  return days.map(({ day, shape, extraMinutes }, index) => ({ day, shape, extraMinutes, netMinutes: nets[index] ?? 0 }));
}
