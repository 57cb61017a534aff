import { describe, expect, it } from '@jest/globals';
import {
  holidayCalendar,
  parseLocalDate,
  parseLocalDateTime,
  periodTotals,
  resolveInterval,
  type Absence,
  type Contract,
  type EpochDay,
  type Workday,
} from '@stechuhr/worktime';
import { absenceTypes } from './absence-types.js';
import { generateDemo, type DemoOptions } from './generate.js';
import { monthIndex, rangeOfMonth } from './month-plan.js';
import type { AbsenceRecord, ContractRecord, DemoRecord, EmployeeRecord, WorkdayRecord, WorkmonthRecord } from './records.js';

interface Staff {
  readonly employee: EmployeeRecord;
  readonly contracts: Contract[];
  readonly absences: Absence[];
  readonly workdays: Workday[];
  readonly months: WorkmonthRecord[];
}

function dayOf(text: string): EpochDay {
  const day = parseLocalDate(text);
  if (day === undefined) throw new Error(`${text} is no date.`);
  return day;
}

const nullableDay = (text: string | null): EpochDay | null => (text === null ? null : dayOf(text));

function workdayOf({ id, date, started_at, ended_at, timespans }: WorkdayRecord): Workday {
  const between = (start: string, end: string | null): { startedAt: number; endedAt: number | null } => {
    const [from, to] = [parseLocalDateTime(start), parseLocalDateTime(end ?? start)];
    if (from.kind !== 'ok' || to.kind !== 'ok') throw new Error(`${start} does not exist.`);
    return { startedAt: from.instant, endedAt: end === null ? null : resolveInterval(from, to).end };
  };
  const spans = timespans.map((span) => ({
    id: span.id,
    type: span.type,
    ...between(span.started_at, span.ended_at),
    projectId: null,
    comment: null,
  }));
  return { id, date: dayOf(date), ...between(started_at, ended_at), timespans: spans };
}

function contractOf(record: ContractRecord): Contract {
  const { id, valid_from, valid_to, planned_minutes } = record;
  const limits = { overtimeMinHours: null, overtimeMaxHours: null };
  return { id, validFrom: dayOf(valid_from), validTo: nullableDay(valid_to), plannedMinutes: planned_minutes, ...limits };
}

function absenceOf({ id, missing_type, starts_on, ends_on, day_part, hours_per_day }: AbsenceRecord): Absence {
  return {
    id,
    missingType: missing_type,
    startsOn: dayOf(starts_on),
    endsOn: dayOf(ends_on),
    dayPart: day_part,
    hoursPerDay: hours_per_day,
  };
}

function staffOf(records: Iterable<DemoRecord>): readonly Staff[] {
  const staff = new Map<string, Staff>();
  for (const record of records) {
    if (record.kind === 'employee') staff.set(record.id, { employee: record, contracts: [], absences: [], workdays: [], months: [] });
    const member = 'employee_id' in record ? staff.get(record.employee_id) : undefined;
    if (record.kind === 'contract') member?.contracts.push(contractOf(record));
    if (record.kind === 'absence') member?.absences.push(absenceOf(record));
    if (record.kind === 'workday') member?.workdays.push(workdayOf(record));
    if (record.kind === 'workmonth') member?.months.push(record);
  }
  return [...staff.values()];
}

/** The change of an account in a month in minutes, computed by the worktime library. */
function balanceOf({ employee, contracts, absences, workdays }: Staff, { year, month }: WorkmonthRecord): number {
  const employment = { hiredOn: dayOf(employee.hired_on), leftOn: nullableDay(employee.left_on) };
  const terms = { employment, contracts, holidays: holidayCalendar('DE-BY') };
  return periodTotals({ terms, workdays, absences, absenceTypes }, rangeOfMonth(monthIndex(year, month))).balance / 60;
}

describe.each([
  ['by default', {}],
  ['in a larger firm over two years', { employees: 75, months: 25 }],
  ['of another seed, in spring', { seed: 'x', employees: 50, months: 13, today: dayOf('2028-04-03') }],
] satisfies [string, Partial<DemoOptions>][])('the overtime accounts %s', (_name, options) => {
  const defaults = { seed: 'stechuhr', employees: 25, months: 4, today: dayOf('2026-11-19'), hasStarted: true };
  const staff = staffOf(generateDemo({ ...defaults, ...options }).records);

  it('begin each month with the closing balance of the previous month', () => {
    const gaps = staff.flatMap((member) =>
      member.months.slice(1).flatMap((month, index) => {
        const previous = member.months[index];
        const expected = previous === undefined ? NaN : previous.opening_balance_minutes + balanceOf(member, previous);
        return expected === month.opening_balance_minutes ? [] : [{ employee: member.employee.number, month, expected }];
      }),
    );
    expect(gaps).toEqual([]);
  });

  it('have all months without gaps, and stay within plausible limits', () => {
    for (const { months, employee } of staff) {
      const indexes = months.map(({ year, month }) => monthIndex(year, month));
      expect(indexes).toEqual(indexes.map((_, position) => (indexes[0] ?? 0) + position));
      for (const { opening_balance_minutes: opening } of months)
        expect({ employee, isFar: Math.abs(opening) > 55 * 60 }).toEqual({ employee, isFar: false });
    }
    expect(staff.filter(({ months }) => months.some(({ opening_balance_minutes: opening }) => opening > 40 * 60)).length).toBeGreaterThan(
      0,
    );
  });
});
