import type { Contract, Employment, EpochDay } from './records.js';
import type { HolidayCalendar } from './holidays.js';
import { weekday } from './local-date.js';

/** The data that determines the planned time of an employee. */
export interface Terms {
  readonly employment: Employment;
  readonly contracts: readonly Contract[];
  readonly holidays: HolidayCalendar;
}

/** The plan of an employee for a date. */
export interface DayPlan {
  /** Planned time; 0 on public holidays, without a contract and outside of the employment. */
  readonly plannedSeconds: number;
  /** On a public holiday, the time that would have been planned; otherwise 0. */
  readonly holidaySeconds: number;
  /**
   * Whether the date counts as a planned day: it has planned time, or is Monday to Friday without a contract. Absences only count on
   * planned days.
   */
  readonly isPlannedDay: boolean;
  /** Whether the date is a public holiday that would have been a planned day. */
  readonly isHolidayDay: boolean;
}

const FREE: DayPlan = { plannedSeconds: 0, holidaySeconds: 0, isPlannedDay: false, isHolidayDay: false };

/** Whether an employee is employed on a date; both bounds are inclusive. */
export function isEmployed(employment: Employment, day: EpochDay): boolean {
  return day >= employment.hiredOn && (employment.leftOn === null || day <= employment.leftOn);
}

/** Up to this number of contracts, looking at each of them is faster than finding the time in which one of them applies. */
const FEW_CONTRACTS = 8;

/**
 * Returns the contract that applies on a date: of the valid contracts, the one with the latest `validFrom` (if equal, the greatest id), or
 * null.
 */
export function contractOn(contracts: readonly Contract[], day: EpochDay): Contract | null {
  if (contracts.length > FEW_CONTRACTS) return contractInTime(timelineOf(contracts), day);
  let found: Contract | null = null;
  for (const contract of contracts) {
    if (day < contract.validFrom || (contract.validTo !== null && day > contract.validTo)) continue;
    if (found === null || isLater(contract, found)) found = contract;
  }
  return found;
}

function isLater(contract: Contract, than: Contract): boolean {
  return contract.validFrom > than.validFrom || (contract.validFrom === than.validFrom && contract.id > than.id);
}

/** A contract that applies from a day on, until the next one does; null if none applies. */
interface Applying {
  readonly from: EpochDay;
  readonly contract: Contract | null;
}

/** Found once for the contracts of an employee, since they are needed for each day, and there may be thousands of them. */
const timelines = new WeakMap<readonly Contract[], readonly Applying[]>();

function timelineOf(contracts: readonly Contract[]): readonly Applying[] {
  const known = timelines.get(contracts);
  if (known !== undefined) return known;
  const timeline = createTimeline(contracts);
  timelines.set(contracts, timeline);
  return timeline;
}

/** Returns which contract applies when, sorted by day; of entries for the same day, the last one counts. */
function createTimeline(contracts: readonly Contract[]): readonly Applying[] {
  const timeline: Applying[] = [];
  /** Contracts that began; the last one that has not ended applies. */
  const begun: Contract[] = [];
  const endBefore = (day: EpochDay): void => {
    for (let ending = endedBefore(begun, day); ending !== undefined; ending = endedBefore(begun, day)) {
      const from = ending + 1;
      while (endedBefore(begun, from) !== undefined) begun.pop();
      timeline.push({ from, contract: begun.at(-1) ?? null });
    }
  };
  for (const contract of contracts.toSorted((a, b) => (isLater(a, b) ? 1 : -1))) {
    endBefore(contract.validFrom);
    begun.push(contract);
    timeline.push({ from: contract.validFrom, contract });
  }
  endBefore(Infinity);
  return timeline;
}

/** Returns the last day of the last contract if it lies before a day. */
function endedBefore(begun: readonly Contract[], day: EpochDay): EpochDay | undefined {
  const validTo = begun.at(-1)?.validTo ?? Infinity;
  return validTo < day ? validTo : undefined;
}

function contractInTime(timeline: readonly Applying[], day: EpochDay): Contract | null {
  let [low, high] = [0, timeline.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timeline[middle]?.from ?? Infinity) <= day) low = middle + 1;
    else high = middle;
  }
  return timeline[low - 1]?.contract ?? null;
}

/** Returns the plan of a date (docs/rules/working-time.md#planned-time). */
export function dayPlan(terms: Terms, day: EpochDay): DayPlan {
  if (!isEmployed(terms.employment, day)) return FREE;
  const contract = contractOn(terms.contracts, day);
  const seconds = contract === null ? 0 : (contract.plannedMinutes[weekday(day)] ?? 0) * 60;
  const counts = contract === null ? weekday(day) < 5 : seconds > 0;
  if (!counts) return FREE;
  return terms.holidays.isHoliday(day)
    ? { plannedSeconds: 0, holidaySeconds: seconds, isPlannedDay: false, isHolidayDay: true }
    : { plannedSeconds: seconds, holidaySeconds: 0, isPlannedDay: true, isHolidayDay: false };
}
