import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Rule } from '../rule.js';
import { day, rule } from '../test-support.js';
import { balanceOn } from './balance.js';
import { chargeDays, compareUse, type TakenDay } from './charge-days.js';

const never = day('9999-12-31');
const lastYear = rule({ id: 'last', amount: 300, availableFrom: day('2025-01-01'), expiresAt: day('2026-03-31') });
const thisYear = rule({ id: 'this', amount: 3000, availableFrom: day('2026-01-01'), expiresAt: day('2027-03-31') });

function taken(...days: readonly (readonly [date: string, amount: number])[]): TakenDay[] {
  return days.map(([date, amount]) => ({ day: day(date), amount }));
}

describe('balanceOn', () => {
  it('uses up the carry-over first and expires the rest of it', () => {
    const days = taken(['2026-02-02', 100], ['2026-03-31', 100], ['2026-04-01', 100]);
    const { rules, ...balance } = balanceOn(day('2026-12-31'), [thisYear, lastYear], days);
    expect(balance).toEqual({
      granted: 3300,
      taken: 300,
      expired: 100,
      remaining: 2900,
      expiring: 2900,
      charges: [
        { day: day('2026-02-02'), amount: 100, ruleId: 'last' },
        { day: day('2026-03-31'), amount: 100, ruleId: 'last' },
        { day: day('2026-04-01'), amount: 100, ruleId: 'this' },
      ],
      uncovered: [],
    });
    expect(rules).toEqual([
      { rule: lastYear, granted: 300, taken: 200, expired: 100, remaining: 0 },
      { rule: thisYear, granted: 3000, taken: 100, expired: 0, remaining: 2900 },
    ]);
  });

  it('expires a rule after its last day, not on it', () => {
    expect(balanceOn(day('2026-03-31'), [lastYear], [])).toMatchObject({ expired: 0, remaining: 300, expiring: 300 });
    expect(balanceOn(day('2026-04-01'), [lastYear], [])).toMatchObject({ expired: 300, remaining: 0, expiring: 0 });
  });

  it('uses a lower priority first, even if another rule expires earlier', () => {
    const first = rule({ id: 'first', amount: 100, priority: 0, expiresAt: never });
    const second = rule({ id: 'second', amount: 100, priority: 1 });
    const { charges, expiring, remaining } = balanceOn(day('2026-06-30'), [second, first], taken(['2026-06-01', 100]));
    expect(charges.map(({ ruleId }) => ruleId)).toEqual(['first']);
    expect([remaining, expiring]).toEqual([100, 100]);
  });

  it('charges a day only to rules that are available on it', () => {
    const before = taken(['2025-12-31', 100]);
    const { charges, uncovered } = balanceOn(day('2026-12-31'), [thisYear], before);
    expect([charges, uncovered]).toEqual([[], before]);
  });

  it('splits a day between rules, and lists the rest of it as uncovered', () => {
    const rest = rule({ id: 'a', amount: 33 });
    const half = rule({ id: 'b', amount: 50, priority: 1 });
    expect(balanceOn(day('2026-12-31'), [half, rest], taken(['2026-05-04', 100], ['2026-05-05', 50]))).toMatchObject({
      granted: 83,
      taken: 83,
      remaining: 0,
      charges: [
        { day: day('2026-05-04'), amount: 33, ruleId: 'a' },
        { day: day('2026-05-04'), amount: 50, ruleId: 'b' },
      ],
      uncovered: [
        { day: day('2026-05-04'), amount: 17 },
        { day: day('2026-05-05'), amount: 50 },
      ],
    });
  });

  it('charges the same rules as looking at each of them for each day', () => {
    const dates = fc.integer({ min: 0, max: 40 });
    const rules = fc.array(
      fc.record({
        amount: fc.constantFrom(0, 33, 100, 250),
        priority: fc.nat({ max: 2 }),
        availableFrom: dates,
        length: fc.nat({ max: 20 }),
      }),
      { maxLength: 12 },
    );
    const days = fc.array(fc.record({ day: dates, amount: fc.constantFrom(50, 100) }), { maxLength: 30 });
    fc.assert(
      fc.property(rules, days, (given, unordered) => {
        const some = given
          .map(({ length, ...fields }, at) =>
            rule({ id: String(at).padStart(2, '0'), ...fields, expiresAt: fields.availableFrom + length }),
          )
          .sort(compareUse);
        const inOrder = unordered.toSorted((a, b) => a.day - b.day);
        const left = some.map(({ amount }) => amount);
        const charges = inOrder.flatMap(({ day: date, amount }) => {
          let open = amount;
          return some.flatMap(({ id, availableFrom, expiresAt }, at) => {
            const used = date < availableFrom || date > expiresAt ? 0 : Math.min(open, left[at] ?? 0);
            left[at] = (left[at] ?? 0) - used;
            open -= used;
            return used === 0 ? [] : { day: date, amount: used, ruleId: id };
          });
        });
        expect(chargeDays(some, inOrder)).toMatchObject({ charges, left });
      }),
    );
  });

  it('is fast for hundreds of entitlements over a working life', () => {
    const first = day('1960-01-01');
    const rules = Array.from({ length: 30_000 }, (_, at) =>
      rule({ id: String(at), amount: 1, availableFrom: first + Math.floor(at / 500) * 365, expiresAt: never }),
    );
    const days = Array.from({ length: 20_000 }, (_, at) => ({ day: first + at, amount: 100 }));
    const before = process.cpuUsage();
    const { taken: charged } = balanceOn(first + 20_000, rules, days);
    expect(charged).toBeGreaterThan(20_000);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000);
  });

  it('ignores everything after the requested day', () => {
    const later = rule({ id: 'later', availableFrom: day('2026-07-01') });
    const balance = balanceOn(day('2026-06-30'), [thisYear, later], taken(['2026-06-30', 100], ['2026-07-01', 100]));
    expect(balance).toMatchObject({ granted: 3000, taken: 100, remaining: 2900, uncovered: [] });
  });
});

const someDay = fc.integer({ min: day('2024-01-01'), max: day('2027-12-31') });
const history = fc.record({
  rules: fc
    .array(
      fc.record({
        amount: fc.integer({ min: 0, max: 1000 }),
        priority: fc.integer({ min: 0, max: 2 }),
        availableFrom: someDay,
        length: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.constant(never)),
      }),
      { maxLength: 8 },
    )
    .map((all) =>
      all.map(({ length, availableFrom, ...fields }, n): Rule =>
        rule({ ...fields, id: String(n), availableFrom, expiresAt: length === never ? never : availableFrom + length }),
      ),
    ),
  days: fc
    .uniqueArray(fc.record({ day: someDay, amount: fc.constantFrom(50, 100) }), { selector: ({ day: date }) => date, maxLength: 60 })
    .map((all) => all.sort((a, b) => a.day - b.day)),
  onDay: someDay,
});

const total = (all: readonly { readonly amount: number }[]) => all.reduce((sum, { amount }) => sum + amount, 0);

describe('a balance, for any history', () => {
  it('adds up, for each rule and in total, and is never negative', () => {
    fc.assert(
      fc.property(history, ({ rules, days, onDay }) => {
        const balance = balanceOn(onDay, rules, days);
        for (const { granted, taken: used, expired, remaining } of [balance, ...balance.rules]) {
          expect(granted).toBe(used + expired + remaining);
          expect(Math.min(granted, used, expired, remaining)).toBeGreaterThanOrEqual(0);
        }
        expect(balance.taken).toBe(total(balance.charges));
        expect(balance.expiring).toBeLessThanOrEqual(balance.remaining);
        const counted = days.filter(({ day: date }) => date <= onDay);
        expect(total(balance.charges) + total(balance.uncovered)).toBe(total(counted));
      }),
    );
  });

  it('charges days to rules available on them, and leaves none uncovered that a rule could have covered', () => {
    fc.assert(
      fc.property(history, ({ rules, days, onDay }) => {
        const { charges, uncovered, rules: accounts } = balanceOn(onDay, rules, days);
        const covers = (found: Rule, date: number) => found.availableFrom <= date && date <= found.expiresAt;
        for (const { day: date, ruleId } of charges) {
          expect(rules.some((found) => found.id === ruleId && covers(found, date))).toBe(true);
        }
        for (const { day: date } of uncovered) {
          const open = accounts.filter(({ rule: found, granted, taken: used }) => covers(found, date) && used < granted);
          expect(open).toEqual([]);
        }
      }),
    );
  });

  it('does not change the past when later days are considered', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 400 }), ({ rules, days, onDay }, more) => {
        const earlier = balanceOn(onDay, rules, days);
        const later = balanceOn(onDay + more, rules, days);
        expect(later.charges.filter(({ day: date }) => date <= onDay)).toEqual(earlier.charges);
        expect(later.expired).toBeGreaterThanOrEqual(earlier.expired);
      }),
    );
  });
});
