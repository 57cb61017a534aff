import type { EpochDay } from '@stechuhr/worktime';
import type { Rule } from '../rule.js';
import { Heap } from './heap.js';

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
 * Charges days, in order, to rules, in order. A day uses only rules that are available on it, and as many of them as it needs. Rules that are
 * used up or have expired are not considered again: hundreds of entitlements over a working life are tens of thousands of rules.
 *
 * @param rules in the order of `compareUse`
 * @param days sorted by date
 */
export function chargeDays(rules: readonly Rule[], days: readonly TakenDay[]): Charges {
  const left = rules.map(({ amount }) => amount);
  const charges: Charge[] = [];
  const uncovered: TakenDay[] = [];
  const usable = new UsableRules(rules);
  for (const { day, amount } of days) {
    let open = amount;
    for (let first = usable.firstOn(day); first !== undefined && open > 0; first = usable.firstOn(day)) {
      const { at, rule } = first;
      const used = Math.min(open, left[at] ?? 0);
      if (used > 0) charges.push({ day, amount: used, ruleId: rule.id });
      left[at] = (left[at] ?? 0) - used;
      open -= used;
      if (left[at] === 0) usable.dropFirst();
    }
    if (open > 0) uncovered.push({ day, amount: open });
  }
  return { charges, uncovered, left };
}

interface PlacedRule {
  /** The place in the order in which rules are used up. */
  readonly at: number;
  readonly rule: Rule;
}

/** The rules that are available on a day and not used up. Days must be requested in order. */
class UsableRules {
  /** Rules that are not available yet; the next one is last. */
  readonly #later: PlacedRule[];
  readonly #available = new Heap<PlacedRule>((a, b) => a.at < b.at);

  constructor(rules: readonly Rule[]) {
    this.#later = rules.map((rule, at) => ({ at, rule })).sort((a, b) => b.rule.availableFrom - a.rule.availableFrom);
  }

  /** Returns the rule that is used first on the day. */
  firstOn(day: EpochDay): PlacedRule | undefined {
    for (let next = this.#later.at(-1); next !== undefined && next.rule.availableFrom <= day; next = this.#later.at(-1)) {
      this.#available.add(next);
      this.#later.pop();
    }
    let { first } = this.#available;
    for (; first !== undefined && first.rule.expiresAt < day; { first } = this.#available) this.#available.dropFirst();
    return first;
  }

  dropFirst(): void {
    this.#available.dropFirst();
  }
}

/** Compares rules by the order in which they are used up: by priority, then by expiry. */
export function compareUse(a: Rule, b: Rule): number {
  return a.priority - b.priority || a.expiresAt - b.expiresAt || a.availableFrom - b.availableFrom || (a.id < b.id ? -1 : 1);
}
