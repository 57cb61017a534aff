import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { absenceDays } from './absence-days.js';
import { holidayCalendar } from './holidays.js';
import { formatLocalDate, weekday } from './local-date.js';
import type { Absence, AbsenceType, Contract } from './records.js';
import { contract, day, range } from './test-support.js';

const TYPES: AbsenceType[] = [
  { value: 'vacation', label: 'Urlaub', category: 'vacation', credited: true },
  { value: 'special', label: 'Sonderurlaub', category: 'vacation', credited: true },
  { value: 'sick', label: 'Krank', category: 'sick', credited: true },
  { value: 'child-sick', label: 'Kind krank', category: 'sick', credited: false },
  { value: 'school', label: 'Fortbildung', category: 'education', credited: true },
];
const FULL_TIME = [contract('2026-01-01', [8, 8, 8, 8, 8])];

function absence(missingType: string, startsOn: string, endsOn: string, more: Partial<Absence> = {}): Absence {
  return {
    id: `${missingType}-${startsOn}`,
    missingType,
    startsOn: day(startsOn),
    endsOn: day(endsOn),
    dayPart: 1,
    hoursPerDay: null,
    ...more,
  };
}

/** Absence days as [date, type, part, hours] in June 2026; the 4th is a holiday in Bavaria. */
function table(
  absences: readonly Absence[],
  contracts: readonly Contract[] = FULL_TIME,
  hired = '2020-01-01',
  left = '2099-12-31',
): unknown[][] {
  const terms = { employment: { hiredOn: day(hired), leftOn: day(left) }, contracts, holidays: holidayCalendar('DE-BY') };
  return Array.from(absenceDays(absences, TYPES, terms, range('2026-06-01', '2026-06-30')), (entry) => [
    formatLocalDate(entry.day).slice(5),
    entry.missingType,
    entry.dayPart,
    entry.seconds / 3600,
  ]);
}

describe('absenceDays', () => {
  it('counts planned dates, but neither weekends nor holidays', () => {
    expect(table([absence('vacation', '2026-06-03', '2026-06-08')])).toEqual([
      ['06-03', 'vacation', 1, 8],
      ['06-05', 'vacation', 1, 8],
      ['06-08', 'vacation', 1, 8],
    ]);
  });

  it('is limited to the range and the employment', () => {
    expect(table([absence('vacation', '2026-05-01', '2026-06-02')])).toHaveLength(2);
    expect(table([absence('vacation', '2026-06-29', '2026-08-01')])).toHaveLength(2);
    expect(table([absence('vacation', '2026-06-08', '2026-06-12')], FULL_TIME, '2026-06-09', '2026-06-10')).toEqual([
      ['06-09', 'vacation', 1, 8],
      ['06-10', 'vacation', 1, 8],
    ]);
    expect(table([])).toEqual([]);
  });

  it('counts half days, and multiplies hours per day by the day part', () => {
    expect(
      table([
        absence('vacation', '2026-06-08', '2026-06-08', { dayPart: 0.5 }),
        absence('school', '2026-06-09', '2026-06-09', { hoursPerDay: 6.5 }),
        absence('school', '2026-06-10', '2026-06-10', { hoursPerDay: 7.7, dayPart: 0.5 }),
      ]),
    ).toEqual([
      ['06-08', 'vacation', 0.5, 4],
      ['06-09', 'school', 1, 6.5],
      ['06-10', 'school', 0.5, 3.85],
    ]);
  });

  it('counts Monday to Friday without a contract, with hours only if the absence has them', () => {
    expect(
      table([absence('vacation', '2026-06-03', '2026-06-07'), absence('sick', '2026-06-08', '2026-06-08', { hoursPerDay: 8 })], []),
    ).toEqual([
      ['06-03', 'vacation', 1, 0],
      ['06-05', 'vacation', 1, 0],
      ['06-08', 'sick', 1, 8],
    ]);
  });

  it('does not count days off of the contract, with or without hours per day', () => {
    const fourDays = [contract('2026-01-01', [8, 8, 8, 8, 0])];
    expect(table([absence('sick', '2026-06-12', '2026-06-12', { hoursPerDay: 8 })], fourDays)).toEqual([]);
  });

  it('counts several absences of a type and date once, with the largest part', () => {
    const half = absence('vacation', '2026-06-08', '2026-06-09', { dayPart: 0.5, hoursPerDay: 20 });
    const whole = absence('vacation', '2026-06-09', '2026-06-10');
    const expected = [
      ['06-08', 'vacation', 0.5, 10],
      ['06-09', 'vacation', 1, 8],
      ['06-10', 'vacation', 1, 8],
    ];
    expect(table([half, whole])).toEqual(expected);
    expect(table([whole, half])).toEqual(expected);
  });

  it('prefers more hours if the parts are equal', () => {
    const few = absence('school', '2026-06-09', '2026-06-09', { hoursPerDay: 2 });
    const many = absence('school', '2026-06-09', '2026-06-09', { hoursPerDay: 3 });
    expect(table([few, many])).toEqual([['06-09', 'school', 1, 3]]);
    expect(table([many, few])).toEqual([['06-09', 'school', 1, 3]]);
  });

  it('returns whole seconds for decimal hours', () => {
    const terms = { employment: { hiredOn: 0, leftOn: null }, contracts: FULL_TIME, holidays: holidayCalendar(null) };
    const decimal = absence('school', '2026-06-09', '2026-06-09', { hoursPerDay: 1.1 });
    const found = absenceDays([decimal], TYPES, terms, range('2026-06-01', '2026-06-30'));
    expect(Array.from(found, ({ seconds }) => seconds)).toEqual([3960]);
  });

  it('removes all vacation from dates with a sick absence, even of half a day', () => {
    expect(
      table([
        absence('vacation', '2026-06-08', '2026-06-10'),
        absence('special', '2026-06-09', '2026-06-09', { dayPart: 0.5 }),
        absence('child-sick', '2026-06-09', '2026-06-09', { dayPart: 0.5 }),
        absence('school', '2026-06-09', '2026-06-09'),
      ]),
    ).toEqual([
      ['06-08', 'vacation', 1, 8],
      ['06-09', 'child-sick', 0.5, 4],
      ['06-09', 'school', 1, 8],
      ['06-10', 'vacation', 1, 8],
    ]);
  });

  it('keeps two types on one date, each with its own part', () => {
    expect(
      table([
        absence('vacation', '2026-06-09', '2026-06-09', { dayPart: 0.5 }),
        absence('school', '2026-06-09', '2026-06-09', { dayPart: 0.5 }),
      ]),
    ).toEqual([
      ['06-09', 'school', 0.5, 4],
      ['06-09', 'vacation', 0.5, 4],
    ]);
  });

  it('limits types of one category to one day per date, preferring larger parts and types that are listed first', () => {
    const on = (date: string, ...parts: [type: string, dayPart: number][]) =>
      parts.map(([type, dayPart]) => absence(type, `2026-06-${date}`, `2026-06-${date}`, { dayPart }));
    const absences = [
      ...on('08', ['special', 1], ['vacation', 1]),
      ...on('09', ['vacation', 0.5], ['special', 1]),
      ...on('10', ['vacation', 0.5], ['special', 0.5]),
      ...on('11', ['child-sick', 1], ['sick', 1], ['school', 1]),
      ...on('12', ['unknown', 1], ['other', 1]),
    ];
    const expected = [
      ['06-08', 'vacation', 1, 8],
      ['06-09', 'special', 1, 8],
      ['06-10', 'special', 0.5, 4],
      ['06-10', 'vacation', 0.5, 4],
      ['06-11', 'school', 1, 8],
      ['06-11', 'sick', 1, 8],
      // The meaning of other types is unknown.
      ['06-12', 'other', 1, 8],
      ['06-12', 'unknown', 1, 8],
    ];
    expect(table(absences)).toEqual(expected);
    expect(table(absences.toReversed())).toEqual(expected);
  });

  it('counts of any number of absences of a type and date the one with the largest part, then the most hours', () => {
    const terms = { employment: { hiredOn: 0, leftOn: null }, contracts: FULL_TIME, holidays: holidayCalendar(null) };
    const june = range('2026-06-01', '2026-06-30');
    const some = fc.record({
      id: fc.uuid(),
      missingType: fc.constantFrom('vacation', 'school'),
      startsOn: fc.integer({ min: june.first - 3, max: june.last }),
      length: fc.nat({ max: 12 }),
      dayPart: fc.constantFrom(1, 0.5),
      hoursPerDay: fc.constantFrom(null, 2, 8, 9),
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 12 }), (given) => {
        const absences = given.map(({ length, ...one }) => ({ ...one, endsOn: one.startsOn + length }));
        const expected = new Map<string, [part: number, seconds: number]>();
        for (const { missingType, startsOn, endsOn, dayPart, hoursPerDay } of absences) {
          for (let date = Math.max(startsOn, june.first); date <= Math.min(endsOn, june.last); date += 1) {
            if (weekday(date) > 4) continue;
            const key = `${String(date)} ${missingType}`;
            const [part, seconds] = expected.get(key) ?? [0, 0];
            const own = (hoursPerDay ?? 8) * 3600 * dayPart;
            if (dayPart > part || (dayPart === part && own > seconds)) expected.set(key, [dayPart, own]);
          }
        }
        const found = Array.from(absenceDays(absences, TYPES, terms, june), (entry) => [
          `${String(entry.day)} ${entry.missingType}`,
          [entry.dayPart, entry.seconds],
        ]);
        expect(found).toEqual([...expected].sort(([a], [b]) => (a < b ? -1 : 1)));
      }),
    );
  });

  it('is fast for thousands of absences and contracts', () => {
    const days = range('2020-01-01', '2029-12-31');
    const contracts = Array.from({ length: 1_000 }, (_, at) => ({ ...contract('2020-01-01', [8, 8, 8, 8, 8]), id: String(at) }));
    const absences = Array.from({ length: 1_000 }, (_, at) => absence('vacation', '2020-01-01', '2029-12-31', { id: String(at) }));
    const terms = { employment: { hiredOn: 0, leftOn: null }, contracts, holidays: holidayCalendar('DE-BY') };
    const before = process.cpuUsage();
    expect(Array.from(absenceDays(absences, TYPES, terms, days)).length).toBeGreaterThan(2_000);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000);
  });

  it('computes a date only when it is asked for, since those of hundreds of types do not fit into memory', () => {
    const types = Array.from({ length: 500 }, (_, at) => ({
      value: `t${String(at)}`,
      label: '',
      category: 'other' as const,
      credited: true,
    }));
    const absences = types.map(({ value }) => absence(value, '2020-01-01', '2029-12-31'));
    let asked = 0;
    const isHoliday = () => (asked += 1) < 0;
    const terms = { employment: { hiredOn: 0, leftOn: null }, contracts: FULL_TIME, holidays: { ...holidayCalendar(null), isHoliday } };
    const days = absenceDays(absences, types, terms, range('2026-06-01', '2029-12-31'));
    const dates = Array.from({ length: 501 }, () => days.next().value?.day);
    expect(new Set(dates)).toEqual(new Set([day('2026-06-01'), day('2026-06-02')]));
    expect(asked).toBe(2);
  });

  it('treats a type that is not configured as other and not credited', () => {
    const terms = { employment: { hiredOn: 0, leftOn: null }, contracts: FULL_TIME, holidays: holidayCalendar(null) };
    const [entry] = absenceDays([absence('unknown', '2026-06-09', '2026-06-09')], TYPES, terms, range('2026-06-01', '2026-06-30'));
    expect(entry).toMatchObject({ category: 'other', credited: false, seconds: 28_800 });
  });
});
