import type { Contract, Employment, EpochDay } from './records.js';
import type { HolidayCalendar } from './holidays.js';
import { weekday } from './local-date.js';

/** What decides about the planned time of one employee. */
export interface Terms {
  readonly employment: Employment;
  readonly contracts: readonly Contract[];
  readonly holidays: HolidayCalendar;
}

/** What is planned for an employee on a date. */
export interface DayPlan {
  /** Planned time; 0 on a public holiday, without a contract and outside the employment. */
  readonly plannedSeconds: number;
  /** On a public holiday what would have been planned, else 0. */
  readonly holidaySeconds: number;
  /** Whether the date counts as one planned day: planned time, or Monday to Friday without a contract. An absence counts only here. */
  readonly isPlannedDay: boolean;
  /** Whether the date is a public holiday that would have been a planned day. */
  readonly isHolidayDay: boolean;
}

const FREE: DayPlan = { plannedSeconds: 0, holidaySeconds: 0, isPlannedDay: false, isHolidayDay: false };

/** Whether an employee is employed on a date; both bounds are inclusive. */
export function isEmployed(employment: Employment, day: EpochDay): boolean {
  return day >= employment.hiredOn && (employment.leftOn === null || day <= employment.leftOn);
}

/** The contract that counts on a date: of those valid the one with the latest `validFrom` (of equal ones the greatest id), or null. */
export function contractOn(contracts: readonly Contract[], day: EpochDay): Contract | null {
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

/** The plan of one date (docs/rules/working-time.md#planned-time). */
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
