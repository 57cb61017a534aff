import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatLocalDate, instantAt, localDayOf, offsetAt, type EpochSecond } from '@stechuhr/worktime';
import { packFindings } from '../operations/pack-findings.js';
import type { Moment, SubjectRecords } from './prepare-subject.js';
import { startReview } from './review.js';
import { activeChecks, defaultSettings } from './settings.js';
import { absence, application, day, moment, records, workday, type RecordedWorkday } from './test-support.js';

const all = activeChecks(defaultSettings);

function review(staff: readonly SubjectRecords[], when: Moment = moment(), active = all) {
  const running = startReview(active, when, packFindings);
  for (const employee of staff) running.add(employee);
  return Array.from(running.findings, ({ check, employeeId, found }) => ({ code: check.code, employeeId, ...found }));
}

describe('a review', () => {
  it('lists findings by date, code, employee and first further record', () => {
    const { terms } = records();
    const free = { ...terms, contracts: [] };
    const long = (date: string, id: string) => workday(date, '06:00', '17:00', { id });
    const staff = [
      records({ employeeId: 'a', terms: free, workdays: [long('2026-05-06', '3'), long('2026-05-05', '9')] }),
      records({
        employeeId: 'b',
        terms: free,
        workdays: [long('2026-05-05', '1')],
        applications: [application('2026-05-06', '2026-05-06', { id: 'y' }), application('2026-05-06', '2026-05-07', { id: 'x' })],
      }),
    ];
    const shown = review(staff).map(({ date, code, employeeId, references: [first] }) => [
      formatLocalDate(date).slice(-2),
      code,
      employeeId,
      first?.[1],
    ]);
    expect(shown).toEqual([
      ['05', 'excessive-daily-hours', 'a', '9'],
      ['05', 'excessive-daily-hours', 'b', '1'],
      ['05', 'insufficient-break', 'a', '9'],
      ['05', 'insufficient-break', 'b', '1'],
      ['06', 'excessive-daily-hours', 'a', '3'],
      ['06', 'insufficient-break', 'a', '3'],
      ['06', 'pending-absence-application', 'b', 'x'],
      ['06', 'pending-absence-application', 'b', 'y'],
    ]);
  });

  it('sorts pairs with the same first record', () => {
    const overlapping = [
      workday('2026-05-05', '06:00', '10:00', { id: 'a' }),
      workday('2026-05-05', '08:00', '08:30', { id: 'c' }),
      workday('2026-05-05', '09:00', '09:30', { id: 'b' }),
    ];
    const found = review([records({ workdays: overlapping })]).filter(({ code }) => code === 'overlapping-workdays');
    expect(found.map(({ references }) => references.map(([, id]) => id))).toEqual([
      ['a', 'b'],
      ['a', 'c'],
    ]);
  });

  it('finds nothing for an employee without a workday in the month', () => {
    const elsewhere = [workday('2026-04-30', '08:00', null), workday('2026-06-01', '08:00', null)];
    const idle = records({ workdays: elsewhere, applications: [application('2026-05-04', '2026-05-08')] });
    const running = startReview(all, moment(), packFindings);
    running.add(idle);
    expect([running.employees, running.findings.size]).toEqual([0, 0]);
    running.add(records({ employeeId: 'f', workdays: [...elsewhere, workday('2026-05-29', '08:00', null)] }));
    expect([running.employees, running.findings.size]).toEqual([1, 18]);
  });

  it('runs the active checks with their options', () => {
    const staff = [records({ workdays: [workday('2026-05-05', '08:00', '14:00')] })];
    const active = activeChecks({ checks: ['insufficient-break'], options: { 'insufficient-break': { boundary: 'statutory' } } });
    expect(review(staff, moment(), active)).toEqual([]);
    const spec = activeChecks({ checks: ['insufficient-break'], options: {} });
    expect(review(staff, moment(), spec).map(({ code }) => code)).toEqual(['insufficient-break']);
  });

  it('does not check future days of the current month', () => {
    const plan = ['04', '05', '06', '07', '08'].map((date) => workday(`2026-05-${date}`, '06:00', '20:00'));
    const codes = (now: string) =>
      review([records({ workdays: plan })], moment({ year: 2026, month: 5 }, now)).map(
        ({ date, code }) => `${formatLocalDate(date).slice(-2)} ${code}`,
      );
    expect(codes('2026-05-05T12:00:00')).toEqual([
      '04 excessive-daily-hours',
      '04 insufficient-break',
      '05 future-workday',
      '06 future-workday',
      '07 future-workday',
      '08 future-workday',
    ]);
  });

  it('returns the same result again', () => {
    const staff = [records({ workdays: [workday('2026-05-05', '06:00', '20:00'), workday('2026-05-06', '02:00', null)] })];
    expect(JSON.stringify(review(staff))).toBe(JSON.stringify(review(staff)));
  });

  it('finds the same in a month that is a whole number of weeks later', () => {
    // All days lie between two clock changes, and none of them is a public holiday.
    const first = day('2026-11-02');
    const month = { first, last: first + 27 };
    const quiet = {
      ...records().terms,
      holidays: { isHoliday: () => false, nameOf: () => undefined, ordinaryDaysOf: () => Array.from({ length: 7 }, () => 52) },
    };
    const shift = fc.record({
      dayOffset: fc.integer({ min: -3, max: 30 }),
      startMinute: fc.integer({ min: 0, max: 1439 }),
      minutes: fc.option(fc.integer({ min: 0, max: 1500 }), { nil: null }),
      pause: fc.integer({ min: 0, max: 90 }),
    });
    fc.assert(
      fc.property(fc.array(shift, { maxLength: 40 }), fc.integer({ min: 1, max: 12 }), (shifts, weeks) => {
        const recorded = shifts.map((given, index) => shiftAt(first, given, index));
        const staff = records({ terms: quiet, workdays: recorded, absences: [absence('2026-11-09', '2026-11-11')] });
        const when = { month, now: instantAt(month.last + 10, 43_200) };
        const before = review([staff], when);
        const after = review([later(staff, weeks * 7)], laterMoment(when, weeks * 7));
        expect(after.map(comparable)).toEqual(before.map((found) => comparable({ ...found, date: found.date + weeks * 7 })));
      }),
      { numRuns: 60 },
    );
  });
});

interface ShiftFields {
  readonly dayOffset: number;
  readonly startMinute: number;
  readonly minutes: number | null;
  readonly pause: number;
}

function shiftAt(first: number, { dayOffset, startMinute, minutes, pause }: ShiftFields, index: number): RecordedWorkday {
  const startedAt = instantAt(first + dayOffset, startMinute * 60);
  const endedAt = minutes === null ? null : startedAt + minutes * 60;
  const timespan = { id: `t${String(index)}`, projectId: null, comment: null };
  return {
    id: `w${String(index)}`,
    date: first + dayOffset,
    startedAt,
    endedAt,
    timespans: [{ ...timespan, type: 'break', startedAt: startedAt + 3600, endedAt: startedAt + 3600 + pause * 60 }],
    edits: [{ at: startedAt + index * 86_400, by: 'employee' }],
  };
}

function laterInstant(instant: EpochSecond, days: number): EpochSecond {
  const today = localDayOf(instant);
  return instantAt(today + days, instant + offsetAt(instant) - today * 86_400);
}

function later(staff: SubjectRecords, days: number): SubjectRecords {
  const move = (instant: EpochSecond) => laterInstant(instant, days);
  return {
    ...staff,
    workdays: staff.workdays.map((entry) => ({
      ...entry,
      date: entry.date + days,
      startedAt: move(entry.startedAt),
      endedAt: entry.endedAt === null ? null : move(entry.endedAt),
      timespans: entry.timespans.map((span) => ({ ...span, startedAt: move(span.startedAt), endedAt: move(span.endedAt ?? 0) })),
      edits: entry.edits.map((edit) => ({ ...edit, at: move(edit.at) })),
    })),
    absences: staff.absences.map((entry) => ({ ...entry, startsOn: entry.startsOn + days, endsOn: entry.endsOn + days })),
  };
}

function laterMoment({ month, now }: Moment, days: number): Moment {
  return { month: { first: month.first + days, last: month.last + days }, now: laterInstant(now, days) };
}

/** The findings without their texts, which contain dates. */
function comparable({ code, date, references, context }: ReturnType<typeof review>[number]) {
  const { week: _week, edited_at: _editedAt, started_at: _startedAt, ...numbers } = context;
  return { code, date, references, numbers };
}
