import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { holidayCalendar } from './holidays.js';
import { contractOn, dayPlan, isEmployed, type Terms } from './planned.js';
import type { Contract } from './records.js';
import { contract, day, hours } from './test-support.js';

const FULL_TIME = [8, 8, 8, 8, 8];

function terms(contracts: readonly Contract[], hiredOn = '2020-01-01', leftOn: string | null = null): Terms {
  return {
    employment: { hiredOn: day(hiredOn), leftOn: leftOn === null ? null : day(leftOn) },
    contracts,
    holidays: holidayCalendar('DE-BY'),
  };
}

/** A plan as [planned hours, holiday hours, planned day, holiday day]. */
function plan(given: Terms, date: string): (number | boolean)[] {
  const { plannedSeconds, holidaySeconds, isPlannedDay, isHolidayDay } = dayPlan(given, day(date));
  return [plannedSeconds / 3600, holidaySeconds / 3600, isPlannedDay, isHolidayDay];
}

describe('dayPlan', () => {
  const fullTime = terms([contract('2026-01-01', FULL_TIME)], '2025-07-01', '2026-06-30');

  it.each([
    ['a Monday', '2026-05-04', [8, 0, true, false]],
    ['a Saturday', '2026-05-09', [0, 0, false, false]],
    ['a holiday', '2026-06-04', [0, 8, false, true]],
    ['a holiday on a Saturday', '2026-12-26', [0, 0, false, false]],
    ['15 August, which is not a holiday', '2025-08-15', [0, 0, true, false]],
    ['the last day', '2026-06-30', [8, 0, true, false]],
    ['the day after', '2026-07-01', [0, 0, false, false]],
    ['the day before the hiring', '2025-06-30', [0, 0, false, false]],
    ['the day of hiring, before the contract', '2025-07-01', [0, 0, true, false]],
  ])('returns the plan of %s', (_, date, expected) => {
    expect(plan(fullTime, date)).toEqual(expected);
  });

  it.each([
    ['a Friday', '2026-05-08', [0, 0, true, false]],
    ['a Saturday', '2026-05-09', [0, 0, false, false]],
    ['a holiday', '2026-06-04', [0, 0, false, true]],
    ['a holiday on a Sunday', '2026-11-01', [0, 0, false, false]],
  ])('returns the plan without a contract on %s', (_, date, expected) => {
    expect(plan(terms([]), date)).toEqual(expected);
  });

  it('follows a contract that plans a Sunday and leaves out a Wednesday', () => {
    const shifts = terms([contract('2026-01-01', [6, 6, 0, 6, 6, 0, 7.5])]);
    expect(plan(shifts, '2026-05-10')).toEqual([7.5, 0, true, false]);
    expect(plan(shifts, '2026-05-06')).toEqual([0, 0, false, false]);
  });

  it('changes with the contract in the middle of a month', () => {
    const changing = terms([contract('2026-01-01', FULL_TIME), contract('2026-05-13', [6, 6, 6, 6])]);
    expect(plan(changing, '2026-05-12')).toEqual([8, 0, true, false]);
    expect(plan(changing, '2026-05-13')).toEqual([6, 0, true, false]);
    expect(plan(changing, '2026-05-15')).toEqual([0, 0, false, false]);
  });
});

describe('contractOn', () => {
  const long = contract('2026-01-01', FULL_TIME, '2026-12-31');
  const short = contract('2026-05-01', [4], '2026-05-31');

  it.each([
    ['2025-12-31', null],
    ['2026-01-01', long],
    ['2026-04-30', long],
    ['2026-05-01', short],
    ['2026-05-31', short],
    ['2026-06-01', long],
    ['2026-12-31', long],
    ['2027-01-01', null],
  ])('returns the contract that applies on %s', (date, expected) => {
    expect(contractOn([long, short], day(date))).toBe(expected);
    expect(contractOn([short, long], day(date))).toBe(expected);
  });

  it('decides between equal ones by id, regardless of their order', () => {
    const other = { ...long, id: 'contract-b', plannedMinutes: [0, 0, 0, 0, 0, 0, hours(1) / 60] };
    const first = { ...long, id: 'contract-a' };
    expect(contractOn([first, other], day('2026-03-03'))).toBe(other);
    expect(contractOn([other, first], day('2026-03-03'))).toBe(other);
  });
});

describe('contractOn with many contracts', () => {
  const dates = fc.integer({ min: 0, max: 60 });
  const contracts = fc.array(
    fc.tuple(dates, fc.option(dates, { nil: null }), fc.uuid()).map(([from, length, id]) => ({
      ...contract('2026-01-01', FULL_TIME),
      id,
      validFrom: from,
      validTo: length === null ? null : from + length,
    })),
    { minLength: 9, maxLength: 40 },
  );

  it('returns the same as looking at each of them', () => {
    fc.assert(
      fc.property(contracts, (some) => {
        for (let date = -1; date <= 125; date += 1) {
          const valid = some.filter(({ validFrom, validTo }) => validFrom <= date && (validTo === null || date <= validTo));
          const [latest = null] = valid.sort((a, b) => b.validFrom - a.validFrom || (a.id < b.id ? 1 : -1));
          expect(contractOn(some, date)).toBe(latest);
        }
      }),
    );
  });

  it('is fast', () => {
    const many = Array.from({ length: 50_000 }, (_, at) => ({
      ...contract('2026-01-01', FULL_TIME),
      id: String(at),
      validFrom: at % 3_000,
    }));
    const before = process.cpuUsage();
    for (let date = 0; date < 3_660; date += 1) contractOn(many, date);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(500);
  });
});

describe('isEmployed', () => {
  it.each([
    ['2026-01-31', false],
    ['2026-02-01', true],
    ['2026-02-28', true],
    ['2026-03-01', false],
  ])('returns on %s: %p', (date, expected) => {
    expect(isEmployed({ hiredOn: day('2026-02-01'), leftOn: day('2026-02-28') }, day(date))).toBe(expected);
  });

  it('continues if there is no last day', () => {
    expect(isEmployed({ hiredOn: day('2026-02-01'), leftOn: null }, day('2060-01-01'))).toBe(true);
  });
});
