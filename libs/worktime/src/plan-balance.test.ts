import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { holidayCalendar } from './holidays.js';
import { plannedSeconds, planBalance } from './plan-balance.js';
import { dayPlan, type Terms } from './planned.js';
import { contract, day, hours } from './test-support.js';

const START = day('2019-11-01');
const dates = fc.integer({ min: START, max: day('2031-03-01') });
const optional = fc.option(dates, { nil: null });

const terms: fc.Arbitrary<Terms> = fc.record({
  employment: fc.record({ hiredOn: dates, leftOn: optional }),
  contracts: fc.array(
    fc.record({
      id: fc.uuid(),
      validFrom: dates,
      validTo: optional,
      plannedMinutes: fc.array(fc.integer({ min: 0, max: 600 }), { minLength: 7, maxLength: 7 }),
      overtimeMinHours: fc.constant(null),
      overtimeMaxHours: fc.constant(null),
    }),
    { maxLength: 4 },
  ),
  holidays: fc.constantFrom(holidayCalendar(null), holidayCalendar('DE-BY'), holidayCalendar('DE-BB')),
});

describe('plannedSeconds', () => {
  it('is the sum of the plans of all dates', () => {
    fc.assert(
      fc.property(terms, dates, dates, (some, first, last) => {
        let sum = 0;
        for (let date = first; date <= last; date += 1) sum += dayPlan(some, date).plannedSeconds;
        expect(plannedSeconds(some, { first, last })).toBe(sum);
      }),
    );
  });
});

describe('planBalance', () => {
  const eight = {
    employment: { hiredOn: day('2020-01-01'), leftOn: null },
    contracts: [contract('2020-01-01', [8, 8, 8, 8, 8])],
    holidays: holidayCalendar('DE-BY'),
  };
  const types = [{ value: 'vacation', label: 'Urlaub', category: 'vacation', credited: true }] as const;

  it('subtracts planned time from credited absences', () => {
    // June 2026 has 22 days from Monday to Friday, one of them Corpus Christi.
    const days = { first: day('2026-06-01'), last: day('2026-06-30') };
    const absences = [
      { id: 'a', missingType: 'vacation', startsOn: day('2026-06-08'), endsOn: day('2026-06-09'), dayPart: 1, hoursPerDay: null },
    ];
    expect(planBalance({ terms: eight, absences, absenceTypes: types }, days)).toBe(hours(2 * 8 - 21 * 8));
  });

  it('is fast for eight thousand years', () => {
    const records = { terms: eight, absences: [], absenceTypes: [] };
    const days = { first: day('2020-01-01'), last: day('9999-12-31') };
    planBalance(records, days);
    const before = process.cpuUsage();
    for (let employee = 0; employee < 100; employee += 1) planBalance(records, days);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(500);
  });
});
