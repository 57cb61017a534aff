import { absenceDays, type Absence, type AbsenceType, type EpochDay, type Terms } from '@stechuhr/worktime';
import type { Rule } from '../rule.js';
import { balanceOn, type Balance } from './balance.js';

/** All that the balances of one employee are made of. */
export interface EmployeeHistory {
  readonly onDay: EpochDay;
  /** Absence types asked for. */
  readonly types: readonly string[];
  readonly rules: readonly Rule[];
  readonly absences: readonly Absence[];
  /** As the institution configured them: a sick day removes vacation from its date. */
  readonly absenceTypes: readonly AbsenceType[];
  readonly terms: Terms;
}

export interface TypeBalance {
  readonly missingType: string;
  readonly balance: Balance;
}

/** One balance for each absence type asked for, in their order. */
export function balancesOf({ onDay, types, rules, absences, absenceTypes, terms }: EmployeeHistory): TypeBalance[] {
  const range = { first: terms.employment.hiredOn, last: onDay };
  const days = Map.groupBy(absenceDays(absences, absenceTypes, terms, range), ({ missingType }) => missingType);
  const byType = Map.groupBy(rules, ({ missingType }) => missingType);
  return types.map((missingType) => {
    const taken = (days.get(missingType) ?? []).map(({ day, dayPart }) => ({ day, amount: Math.round(dayPart * 100) }));
    return { missingType, balance: balanceOn(onDay, byType.get(missingType) ?? [], taken) };
  });
}
