import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { holidayCalendar } from './holidays.js';
import { windowOf } from './intervals.js';
import type { AbsenceType, Workday } from './records.js';
import { contract, day, hours, range, workday } from './test-support.js';
import { periodTotals, planTotals, workTotals, type EmployeeRecords } from './totals.js';

const TYPES: AbsenceType[] = [
  { value: 'vacation', label: 'Urlaub', category: 'vacation', credited: true },
  { value: 'sick', label: 'Krank', category: 'sick', credited: true },
  { value: 'school', label: 'Fortbildung', category: 'education', credited: false },
];

const absence = { id: 'absence', dayPart: 1, hoursPerDay: null };

/** June 2026 in Bavaria: the 1st is a Monday, the 4th Corpus Christi. Eight hours a day; from the 15th six, Monday to Thursday. */
const june: EmployeeRecords = {
  terms: {
    employment: { hiredOn: day('2020-01-01'), leftOn: null },
    contracts: [contract('2026-01-01', [8, 8, 8, 8, 8]), contract('2026-06-15', [6, 6, 6, 6])],
    holidays: holidayCalendar('DE-BY'),
  },
  absenceTypes: TYPES,
  absences: [
    { ...absence, missingType: 'vacation', startsOn: day('2026-06-08'), endsOn: day('2026-06-09') },
    { ...absence, missingType: 'sick', startsOn: day('2026-06-09'), endsOn: day('2026-06-09'), dayPart: 0.5 },
    { ...absence, missingType: 'school', startsOn: day('2026-06-30'), endsOn: day('2026-07-03'), dayPart: 0.5, hoursPerDay: 5 },
  ],
  workdays: [
    workday('2026-05-31T22:00', '2026-06-01T02:00'),
    workday('2026-06-01T08:00', '2026-06-01T17:00', { breaks: [['2026-06-01T12:00', '2026-06-01T12:45']] }),
    workday('2026-06-04T10:00', '2026-06-04T12:00'),
    workday('2026-06-06T22:00', '2026-06-07T02:00'),
    workday('2026-06-12T08:00', null),
    workday('2026-06-30T23:00', '2026-07-01T01:00'),
  ],
};
const JUNE = range('2026-06-01', '2026-06-30');

describe('periodTotals', () => {
  it('sums a month with a change of contract, a holiday, absences and shifts over its borders', () => {
    expect(periodTotals(june, JUNE)).toEqual({
      gross: hours(2 + 9 + 2 + 4 + 1),
      breaks: hours(0.75),
      net: hours(17.25),
      night: hours(2 + 1 + 2 + 1),
      sunday: hours(2),
      saturday: hours(2),
      holidayWork: hours(2),
      planned: { seconds: hours(9 * 8 + 10 * 6), days: 19 },
      publicHoliday: { seconds: hours(8), days: 1 },
      absences: new Map([
        ['vacation', { seconds: hours(8), days: 1 }],
        ['sick', { seconds: hours(4), days: 0.5 }],
        ['school', { seconds: hours(2.5), days: 0.5 }],
      ]),
      absence: { seconds: hours(14.5), days: 2 },
      creditedAbsenceSeconds: hours(12),
      credited: { seconds: hours(17.25 + 12 + 8), days: 7 },
      balance: hours(17.25 + 12 - 132),
      overtime: 0,
    });
  });

  it('counts a positive balance of the whole period as overtime', () => {
    const weekend = { ...june, absences: [], workdays: [workday('2026-06-06T08:00', '2026-06-06T18:00')] };
    expect(periodTotals(weekend, range('2026-06-06', '2026-06-07'))).toMatchObject({ balance: hours(10), overtime: hours(10) });
    expect(periodTotals(weekend, range('2026-06-05', '2026-06-07'))).toMatchObject({ balance: hours(2), overtime: hours(2) });
    expect(periodTotals(weekend, range('2026-06-03', '2026-06-07'))).toMatchObject({ balance: hours(-6), overtime: 0 });
  });

  it('counts elapsed time in both nights of clock changes', () => {
    const nights = {
      ...june,
      workdays: [workday('2026-03-28T22:00', '2026-03-29T06:00'), workday('2026-10-24T22:00', '2026-10-25T06:00')],
    };
    expect(periodTotals(nights, range('2026-03-01', '2026-03-31'))).toMatchObject({
      net: hours(7),
      night: hours(6),
      saturday: hours(2),
      sunday: hours(5),
    });
    expect(periodTotals(nights, range('2026-10-01', '2026-10-31'))).toMatchObject({
      net: hours(9),
      night: hours(8),
      saturday: hours(2),
      sunday: hours(7),
    });
  });

  it('counts a day with work and credited absence only once', () => {
    const both = {
      ...june,
      absences: [{ ...absence, missingType: 'vacation', startsOn: day('2026-06-01'), endsOn: day('2026-06-01'), dayPart: 0.5 }],
      workdays: [workday('2026-06-01T08:00', '2026-06-01T12:00'), workday('2026-06-01T13:00', '2026-06-01T14:00')],
    };
    expect(periodTotals(both, JUNE).credited).toEqual({ seconds: hours(4 + 5 + 8), days: 2 });
  });

  it('counts no credited day if nothing is credited', () => {
    const empty = {
      ...june,
      terms: { ...june.terms, contracts: [] },
      workdays: [workday('2026-06-01T08:00', '2026-06-01T12:00', { breaks: [['2026-06-01T08:00', null]] })],
    };
    expect(periodTotals(empty, JUNE)).toMatchObject({ gross: hours(4), credited: { seconds: 0, days: 0 }, absence: { days: 2 } });
  });

  it('counts work outside of the employment, but no planned time', () => {
    const left = { ...june, terms: { ...june.terms, employment: { hiredOn: day('2020-01-01'), leftOn: day('2026-05-31') } } };
    expect(periodTotals(left, JUNE)).toMatchObject({
      net: hours(17.25),
      planned: { seconds: 0, days: 0 },
      publicHoliday: { seconds: 0, days: 0 },
      absence: { seconds: 0, days: 0 },
      balance: hours(17.25),
    });
  });

  it('is empty for an employee without anything but the public holiday on a weekday', () => {
    const nothing = { ...june, terms: { ...june.terms, contracts: [] }, absences: [], workdays: [] };
    const totals = periodTotals(nothing, JUNE);
    expect(totals).toMatchObject({
      net: 0,
      planned: { seconds: 0, days: 0 },
      publicHoliday: { seconds: 0, days: 1 },
      credited: { seconds: 0, days: 0 },
    });
    expect(Object.is(totals.balance, 0)).toBe(true);
  });
});

const anyWorkdays = fc.array(
  fc
    .record({ minute: fc.integer({ min: -3000, max: 46_000 }), length: fc.integer({ min: 0, max: 2000 }), open: fc.boolean() })
    .map(({ minute, length, open }): Workday => {
      const startedAt = windowOf(JUNE).from + minute * 60;
      return { id: 'any', date: JUNE.first, startedAt, endedAt: open ? null : startedAt + length * 60, timespans: [] };
    }),
  { maxLength: 20 },
);

describe('totals of any month', () => {
  it('are the sum of the totals of its halves', () => {
    fc.assert(
      fc.property(anyWorkdays, fc.integer({ min: 0, max: 28 }), (workdays, length) => {
        const records = { ...june, workdays };
        const middle = JUNE.first + length;
        const whole = periodTotals(records, JUNE);
        const parts = [
          periodTotals(records, { first: JUNE.first, last: middle }),
          periodTotals(records, { first: middle + 1, last: JUNE.last }),
        ];
        for (const key of [
          'gross',
          'breaks',
          'net',
          'night',
          'sunday',
          'saturday',
          'holidayWork',
          'creditedAbsenceSeconds',
          'balance',
        ] as const) {
          expect(parts.reduce((sum, part) => sum + part[key], 0)).toBe(whole[key]);
        }
        for (const key of ['planned', 'publicHoliday', 'absence', 'credited'] as const) {
          expect(parts.reduce((sum, part) => sum + part[key].seconds, 0)).toBe(whole[key].seconds);
          expect(parts.reduce((sum, part) => sum + part[key].days, 0)).toBe(whole[key].days);
        }
      }),
    );
  });

  it('do not depend on the order of workdays, and consist of work and plan totals', () => {
    fc.assert(
      fc.property(anyWorkdays, (workdays) => {
        const totals = periodTotals({ ...june, workdays }, JUNE);
        expect(periodTotals({ ...june, workdays: workdays.toReversed() }, JUNE)).toEqual(totals);
        expect(totals).toMatchObject(workTotals(workdays, windowOf(JUNE), june.terms.holidays));
        expect(totals).toMatchObject(planTotals(june, JUNE));
      }),
    );
  });
});
