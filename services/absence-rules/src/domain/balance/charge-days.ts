import type { EpochDay } from '@stechuhr/worktime';
import type { Rule } from '../rule.js';

/** An absence of one type on one date. */
export interface TakenDay {
  readonly day: EpochDay;
  /** In hundredths of a day. */
  readonly amount: number;
}

/** The amount of one rule that one absence day used. */
export interface Charge extends TakenDay {
  readonly ruleId: string;
}

/** How absence days were charged to rules. Uncovered days are listed separately. */
export interface Charges {
  readonly charges: readonly Charge[];
  readonly uncovered: readonly TakenDay[];
  /** What is left of each rule, by its index. */
  readonly left: readonly number[];
}

/**
 * Charges days, in order, to rules, in order. A day uses only rules that are available on it, and as many of them as it needs.
 *
 * @param rules in the order of `compareUse`
 * @param days sorted by date
 */
export function chargeDays(rules: readonly Rule[], days: readonly TakenDay[]): Charges {
  const left = rules.map(({ amount }) => amount);
  const charges: Charge[] = [];
  const uncovered: TakenDay[] = [];
  for (const { day, amount } of days) {
    let open = amount;
    for (const [at, rule] of rules.entries()) {
      const used = Math.min(open, left[at] ?? 0);
      if (used === 0 || day < rule.availableFrom || day > rule.expiresAt) continue;
      charges.push({ day, amount: used, ruleId: rule.id });
      left[at] = (left[at] ?? 0) - used;
      open -= used;
      if (open === 0) break;
    }
    if (open > 0) uncovered.push({ day, amount: open });
  }
  return { charges, uncovered, left };
}

/** Compares rules by the order in which they are used up: by priority, then by expiry. */
export function compareUse(a: Rule, b: Rule): number {
  return a.priority - b.priority || a.expiresAt - b.expiresAt || a.availableFrom - b.availableFrom || (a.id < b.id ? -1 : 1);
}
