import { absenceDays, type Absence, type AbsenceType, type EpochDay, type Terms } from '@stechuhr/worktime';
import { NEVER } from '../calendar.js';
import type { Rule } from '../rule.js';
import { chargeDays, compareUse, type Charge, type TakenDay } from './charge-days.js';

/** Amounts in hundredths of days; granted = taken + expired + remaining. */
export interface Amounts {
  readonly granted: number;
  /** Absence days that were charged to rules. */
  readonly taken: number;
  /** The remainder of rules when they expired. */
  readonly expired: number;
  readonly remaining: number;
}

/** The account of one rule. */
export interface RuleBalance extends Amounts {
  readonly rule: Rule;
}

/** The account of an employee and absence type on a day. */
export interface Balance extends Amounts {
  /** The part of `remaining` that belongs to rules with an expiry date. */
  readonly expiring: number;
  /** The rules in the order in which they are used up. */
  readonly rules: readonly RuleBalance[];
  readonly charges: readonly Charge[];
  /** Absence days, or parts of them, that no rule covers; not included in `taken`. */
  readonly uncovered: readonly TakenDay[];
}

/**
 * Returns the balance of one employee and absence type at the end of a day. Only rules that are available by then, and absences up to the
 * day, count.
 *
 * @param days sorted by date
 */
export function balanceOn(onDay: EpochDay, rules: readonly Rule[], days: readonly TakenDay[]): Balance {
  const available = rules.filter(({ availableFrom }) => availableFrom <= onDay).sort(compareUse);
  const { charges, uncovered, left } = chargeDays(
    available,
    days.filter(({ day }) => day <= onDay),
  );
  const accounts = available.map((rule, at) => accountOf(rule, left[at] ?? 0, onDay));
  const sum = (amountOf: (account: RuleBalance) => number) => accounts.reduce((total, account) => total + amountOf(account), 0);
  return {
    granted: sum(({ granted }) => granted),
    taken: sum(({ taken }) => taken),
    expired: sum(({ expired }) => expired),
    remaining: sum(({ remaining }) => remaining),
    expiring: sum(({ rule, remaining }) => (rule.expiresAt === NEVER ? 0 : remaining)),
    rules: accounts,
    charges,
    uncovered,
  };
}

/** Returns the account of a rule. The rule can still be used on the day of its expiry. */
function accountOf(rule: Rule, left: number, onDay: EpochDay): RuleBalance {
  const isOver = rule.expiresAt < onDay;
  return { rule, granted: rule.amount, taken: rule.amount - left, expired: isOver ? left : 0, remaining: isOver ? 0 : left };
}

/** The data from which the balances of one employee are calculated. */
export interface EmployeeHistory {
  readonly onDay: EpochDay;
  /** Requested absence types. */
  readonly types: readonly string[];
  readonly rules: readonly Rule[];
  readonly absences: readonly Absence[];
  /** The absence types of the institution. They are needed because a sick day removes vacation from its date. */
  readonly absenceTypes: readonly AbsenceType[];
  readonly terms: Terms;
}

export interface TypeBalance {
  readonly missingType: string;
  readonly balance: Balance;
}

/** Returns one balance for each requested absence type, in their order. */
export function balancesOf({ onDay, types, rules, absences, absenceTypes, terms }: EmployeeHistory): TypeBalance[] {
  const range = { first: terms.employment.hiredOn, last: onDay };
  const taken = new Map<string, TakenDay[]>(types.map((missingType) => [missingType, []]));
  for (const { day, missingType, dayPart } of absenceDays(absences, absenceTypes, terms, range))
    taken.get(missingType)?.push({ day, amount: Math.round(dayPart * 100) });
  const byType = Map.groupBy(rules, ({ missingType }) => missingType);
  return types.map((missingType) => ({
    missingType,
    balance: balanceOn(onDay, byType.get(missingType) ?? [], taken.get(missingType) ?? []),
  }));
}
