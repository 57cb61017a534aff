import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { EmploymentSpan, Entitlement, Expiry } from './entitlement.js';
import { NEVER } from './calendar.js';
import { grantOf, grantsOf } from './grant.js';
import { dates, day, employed, entitlement } from './test-support.js';

const since2020 = employed('2020-01-01');

function amountIn(year: number, fields: Partial<Entitlement>, span: EmploymentSpan): number | undefined {
  return grantOf(span, entitlement(fields), year)?.amount;
}

describe('the leave of the Federal Leave Act (burlg)', () => {
  it.each([
    // Hired in the second half of the year: twelfths, from half a day on rounded up (§5(1)a, (2)).
    ['2026-08-01', undefined, 3000, 1300],
    ['2026-09-15', undefined, 3000, 800],
    ['2026-11-01', undefined, 2400, 400],
    ['2026-07-01', undefined, 3000, 1500],
    // A smaller fraction is kept: 20 × 2/12 (BAG 9 AZR 578/17).
    ['2026-11-01', undefined, 2000, 333],
    // 28 × 1/12 = 2.33, 28 × 2/12 = 4.67, 28 × 3/12 = 7.
    ['2026-12-01', undefined, 2800, 233],
    ['2026-11-01', undefined, 2800, 500],
    ['2026-10-01', undefined, 2800, 700],
    // No full month is left.
    ['2026-12-02', undefined, 3000, undefined],
    // Hired in the first half: the full leave.
    ['2026-06-30', undefined, 3000, 3000],
    ['2026-01-01', undefined, 2750, 2750],
    // Left before six months (§5(1)b): five full months.
    ['2026-03-15', '2026-08-31', 3000, 1300],
    // Six months are the waiting period, and the full leave is earned after it (BAG 9 AZR 179/15).
    ['2026-02-01', '2026-07-31', 3000, 1500],
    ['2026-03-01', '2026-08-31', 3000, 1500],
    ['2026-03-01', '2026-09-01', 3000, 3000],
    ['2026-02-15', '2026-08-14', 3000, 1500],
    ['2026-02-15', '2026-08-15', 3000, 3000],
    ['2026-03-01', '2026-08-30', 3000, 1300],
    // Left in the first half of the year (§5(1)c).
    ['2020-01-01', '2026-06-30', 3000, 1500],
    ['2020-01-01', '2026-05-31', 3000, 1300],
    ['2020-01-01', '2026-01-15', 3000, undefined],
    ['2026-01-15', '2026-06-30', 3000, 1300],
    // Left in the second half: the full leave.
    ['2020-01-01', '2026-07-01', 3000, 3000],
    ['2020-01-01', '2026-12-31', 3000, 3000],
    // Hired in the second half and left before the end of the year.
    ['2026-07-01', '2026-10-15', 3000, 800],
  ])('hired %s, left %s, %i hundredths a year: %s in 2026', (hiredOn, leftOn, amount, expected) => {
    expect(amountIn(2026, { proration: 'burlg', amount }, employed(hiredOn, leftOn))).toBe(expected);
  });

  it('is full again in the second year, whenever the first began', () => {
    expect(amountIn(2027, { proration: 'burlg' }, employed('2026-11-01'))).toBe(3000);
    expect(amountIn(2027, { proration: 'burlg' }, employed('2026-11-01', '2027-02-28'))).toBe(500);
  });

  it.each([
    // Two months in all: 6 November to 5 December, and to 5 January.
    ['2026-11-06', '2027-01-15', 300, 300],
    // Three months in all, the second of which ends on 14 January.
    ['2026-11-15', '2027-02-14', 300, 500],
    // Two months in all, none of which ends in the first year.
    ['2026-12-10', '2027-02-09', undefined, 500],
    ['2026-08-01', '2027-01-31', 1300, 300],
    // Longer than the waiting period: the months of each year count (§5(1)a, c).
    ['2026-07-15', '2027-01-31', 1300, 300],
  ])('hired %s, left %s: %s in the first year and %s in the second', (hiredOn, leftOn, first, second) => {
    const years = [2026, 2027].map((year) => amountIn(year, { proration: 'burlg' }, employed(hiredOn, leftOn)));
    expect(years).toEqual([first, second]);
  });

  it('is not reduced by a setting that is valid from the first to the last day of employment', () => {
    const fields: Partial<Entitlement> = { proration: 'burlg', validFrom: day('2026-03-15'), validTo: day('2026-10-31') };
    expect(amountIn(2026, fields, employed('2026-03-15', '2026-10-31'))).toBe(3000);
  });

  it('is divided into plain twelfths if the setting changes in June', () => {
    const before: Partial<Entitlement> = { proration: 'burlg', amount: 3000, validTo: day('2026-05-31') };
    const after: Partial<Entitlement> = { proration: 'burlg', amount: 2000, validFrom: day('2026-06-01') };
    // 30 × 5/12 = 12.50 and 20 × 7/12 = 11.67, half a day not rounded up.
    expect([before, after].map((fields) => amountIn(2026, fields, since2020))).toEqual([1250, 1167]);
    expect([before, after].map((fields) => amountIn(2025, fields, since2020))).toEqual([3000, undefined]);
    expect([before, after].map((fields) => amountIn(2027, fields, since2020))).toEqual([undefined, 2000]);
  });
});

describe('twelfths', () => {
  it.each([
    ['2020-01-01', undefined, {}, 3000],
    ['2026-03-15', undefined, {}, 2250],
    ['2026-01-02', undefined, {}, 2750],
    ['2020-01-01', '2026-08-31', {}, 2000],
    ['2020-01-01', '2026-08-30', {}, 1750],
    ['2026-12-15', undefined, {}, undefined],
    // 25.5 × 7/12 = 14.875.
    ['2026-06-01', undefined, { amount: 2550 }, 1488],
    // Each part counts its own full months: 1 January to 14 June are 5, 15 June to 31 December are 6.
    ['2020-01-01', undefined, { validTo: day('2026-06-14') }, 1250],
    ['2020-01-01', undefined, { validFrom: day('2026-06-15') }, 1500],
    // A cycle from April: hired on 1 July, nine months are left.
    ['2026-07-01', undefined, { cycleStart: { month: 4, day: 1 } }, 2250],
    // A whole cycle counts as twelve months, even if it is one day short of them.
    ['2020-01-01', undefined, { cycleStart: { month: 2, day: 29 } }, 3000],
  ])('hired %s, left %s, %j: %s', (hiredOn, leftOn, fields, expected) => {
    expect(amountIn(2026, { proration: 'twelfths', ...fields }, employed(hiredOn, leftOn))).toBe(expected);
  });

  it('count a whole leap cycle as whole', () => {
    expect(amountIn(2024, { proration: 'twelfths', cycleStart: { month: 2, day: 29 } }, since2020)).toBe(3000);
  });
});

describe('without proration', () => {
  it('each part of a cycle gives its full amount', () => {
    expect(amountIn(2026, { validTo: day('2026-06-14') }, since2020)).toBe(3000);
    expect(amountIn(2026, { validFrom: day('2026-06-15'), amount: 2000 }, since2020)).toBe(2000);
    expect(amountIn(2026, {}, employed('2026-12-31'))).toBe(3000);
  });
});

describe('a cycle', () => {
  it.each<[string, Partial<Entitlement>, EmploymentSpan, string]>([
    ['starts with the year', {}, since2020, '2026-01-01'],
    ['starts when its setting says', { cycleStart: { month: 4, day: 1 } }, since2020, '2026-04-01'],
    ['starts with the employment', {}, employed('2026-03-15'), '2026-03-15'],
    ['starts with the setting', { validFrom: day('2026-06-01') }, since2020, '2026-06-01'],
    ['starts with the later of both', { validFrom: day('2026-02-01') }, employed('2026-03-15'), '2026-03-15'],
  ])('%s', (_, fields, span, expected) => {
    expect(grantOf(span, entitlement(fields), 2026)?.availableFrom).toBe(day(expected));
  });

  it.each<[string, Partial<Entitlement>, EmploymentSpan]>([
    ['before the employment', {}, employed('2027-01-01')],
    ['after the employment', {}, employed('2020-01-01', '2025-12-31')],
    ['before its setting', { validFrom: day('2027-01-01') }, since2020],
    ['after its setting', { validTo: day('2025-12-31') }, since2020],
    ['whose setting ends before the employment begins', { validTo: day('2026-06-30') }, employed('2026-08-01')],
    ['whose setting begins after the employment ends', { validFrom: day('2026-07-01') }, employed('2020-01-01', '2026-03-31')],
    ['of nothing', { amount: 0 }, since2020],
    ['that expires before it is available', { expiry: { kind: 'months', months: 6 } }, employed('2026-07-01')],
    ['that begins after archiving', {}, employed('2020-01-01', undefined, '2025-12-31')],
  ])('%s gives no rule', (_, fields, span) => {
    expect(grantOf(span, entitlement(fields), 2026)).toBeUndefined();
  });

  it('grants on the day of archiving and on the last usable day', () => {
    expect(grantOf(employed('2020-01-01', undefined, '2026-01-01'), entitlement(), 2026)).toBeDefined();
    expect(grantOf(employed('2026-06-30'), entitlement({ expiry: { kind: 'months', months: 6 } }), 2026)).toBeDefined();
  });

  it.each<[Expiry, number, string]>([
    [{ kind: 'never' }, 2026, '9999-12-31'],
    [{ kind: 'months', months: 12 }, 2026, '2026-12-31'],
    [{ kind: 'months', months: 15 }, 2026, '2027-03-31'],
    [{ kind: 'months', months: 26 }, 2026, '2028-02-29'],
    [{ kind: 'date', monthDay: { month: 3, day: 31 }, yearOffset: 1 }, 2026, '2027-03-31'],
    [{ kind: 'date', monthDay: { month: 12, day: 31 }, yearOffset: 0 }, 2026, '2026-12-31'],
    [{ kind: 'date', monthDay: { month: 2, day: 29 }, yearOffset: 1 }, 2026, '2027-02-28'],
    [{ kind: 'date', monthDay: { month: 2, day: 29 }, yearOffset: 2 }, 2026, '2028-02-29'],
  ])('with expiry %j of %i expires on %s', (expiry, year, expected) => {
    expect(dates(grantOf(since2020, entitlement({ expiry }), year)?.expiresAt ?? 0)).toEqual([expected]);
  });

  it('counts months from the cycle, not from the hiring', () => {
    const expiry: Expiry = { kind: 'months', months: 15 };
    expect(dates(grantOf(employed('2026-10-01'), entitlement({ expiry }), 2026)?.expiresAt ?? 0)).toEqual(['2027-03-31']);
  });
});

describe('grantsOf', () => {
  const bounds = { first: day('2024-01-01'), last: day('2026-12-31') };

  it('yields one grant for each cycle, sorted by the day from which it is available', () => {
    const grants = [...grantsOf(employed('2024-08-01'), entitlement({ proration: 'burlg' }), bounds)];
    expect(grants.map(({ year, amount, availableFrom }) => [year, amount, ...dates(availableFrom)])).toEqual([
      [2024, 1300, '2024-08-01'],
      [2025, 3000, '2025-01-01'],
      [2026, 3000, '2026-01-01'],
    ]);
  });

  it('includes both bounds and nothing beyond them', () => {
    const years = (first: string, last: string) =>
      [...grantsOf(since2020, entitlement(), { first: day(first), last: day(last) })].map(({ year }) => year);
    expect(years('2025-01-01', '2026-01-01')).toEqual([2025, 2026]);
    expect(years('2025-01-02', '2025-12-31')).toEqual([]);
    expect(years('2026-01-01', '2025-12-31')).toEqual([]);
  });

  it('finds the same grants as checking every cycle', () => {
    const someDay = fc.integer({ min: day('2018-01-01'), max: day('2032-12-31') });
    const monthDay = fc.record({ month: fc.integer({ min: 1, max: 12 }), day: fc.integer({ min: 1, max: 31 }) });
    const expiry = fc.oneof(
      fc.constant<Expiry>({ kind: 'never' }),
      fc.integer({ min: 0, max: 30 }).map((months): Expiry => ({ kind: 'months', months })),
      fc.record({ monthDay, yearOffset: fc.integer({ min: 0, max: 2 }) }).map((date): Expiry => ({ kind: 'date', ...date })),
    );
    const setting = fc.record({
      amount: fc.integer({ min: 0, max: 4000 }),
      cycleStart: monthDay,
      validFrom: someDay,
      validTo: fc.option(someDay),
      expiry,
      proration: fc.constantFrom('none' as const, 'twelfths' as const),
    });
    const span = fc.record({ hiredOn: someDay, leftOn: fc.option(someDay), archivedOn: fc.option(someDay) });
    fc.assert(
      fc.property(setting, span, someDay, someDay, (fields, employment, first, last) => {
        const found = [...grantsOf(employment, entitlement(fields), { first, last })];
        const years = Array.from({ length: 20 }, (_, at) => 2015 + at);
        const all = years.flatMap((year) => grantOf(employment, entitlement(fields), year) ?? []);
        expect(found).toEqual(all.filter(({ availableFrom }) => availableFrom >= first && availableFrom <= last));
        for (const { amount, availableFrom, expiresAt } of found) {
          expect(amount > 0 && amount <= fields.amount && availableFrom <= expiresAt && expiresAt <= NEVER).toBe(true);
          expect(availableFrom >= employment.hiredOn && availableFrom <= (employment.leftOn ?? NEVER)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('never grants more for the parts of a year than the larger of its versions', () => {
    const inYear = fc.integer({ min: day('2026-01-02'), max: day('2026-12-31') });
    const amount = fc.integer({ min: 0, max: 4000 });
    fc.assert(
      fc.property(inYear, amount, amount, fc.constantFrom('twelfths' as const, 'burlg' as const), (change, before, after, proration) => {
        const first = grantOf(since2020, entitlement({ proration, amount: before, validTo: change - 1 }), 2026)?.amount ?? 0;
        const second = grantOf(since2020, entitlement({ proration, amount: after, validFrom: change }), 2026)?.amount ?? 0;
        // Each part may be rounded up by half a hundredth.
        expect(first + second).toBeLessThanOrEqual(Math.max(before, after) + 1);
      }),
    );
  });
});
