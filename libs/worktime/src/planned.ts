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

/**
 * Returns the contract that applies on a date: of the valid contracts, the one with the latest `validFrom` (if equal, the greatest id), or
 * null.
 */
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
