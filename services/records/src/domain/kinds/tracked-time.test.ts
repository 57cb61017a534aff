import { describe, expect, it } from '@jest/globals';
import type { Kind } from '../kind.js';
import { absenceApplication } from './absence-application.js';
import { absence } from './absence.js';
import { workday } from './workday.js';
import { workmonth } from './workmonth.js';

/** Converts a record as if it had been read from a line: undefined fields are missing. */
const parsed = (line: object) => JSON.parse(JSON.stringify(line)) as object;
const uuid = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;

function judge(kind: Kind, line: object): { fields?: Readonly<Record<string, unknown>>; reason?: string } {
  const judged = kind.judge(parsed(line));
  return 'reason' in judged ? judged : { fields: judged.content.fields };
}

describe('workday', () => {
  const span = {
    id: uuid(3),
    type: 'work',
    started_at: '2026-03-02T08:00:00',
    ended_at: '2026-03-02T12:00:00',
    project_id: uuid(4),
    comment: ' Estrich ',
  };
  const line = {
    employee_id: uuid(1),
    date: '2026-03-02',
    started_at: '2026-03-02T08:00:00',
    ended_at: '2026-03-02T16:30:00',
    timespans: [span],
    edits: [{ at: '2026-03-03T09:00:00', by: 'employee' }],
  };
  const on = (day: string, start: string, end: string | null) =>
    judge(workday, { ...line, date: day, started_at: start, ended_at: end, timespans: [], edits: [] });

  it.each<[object, string | undefined]>([
    [{ timespans: Array.from({ length: 6 }, () => ({ ...span, comment: 'x'.repeat(10_000) })) }, undefined],
    [
      { timespans: Array.from({ length: 7 }, () => ({ ...span, comment: 'x'.repeat(10_000) })) },
      'The comments of timespans may not have more than 65536 bytes together.',
    ],
    [{ timespans: Array.from({ length: 501 }, () => 'no timespan') }, 'timespans may not have more than 500 elements.'],
    [{ date: '9000-01-01' }, 'date must be a date of the years 1900 to 2199.'],
  ])('is bounded: %#', (fields, reason) => {
    expect(judge(workday, { ...line, ...fields }).reason).toBe(reason);
  });

  it('is stored with its instants and belongs to the month of its date', () => {
    expect(workday.judge({ ...line, date: '2026-03-01' })).toEqual({
      content: {
        fields: {
          employee_id: uuid(1),
          date: 20513,
          started_at: new Date('2026-03-02T07:00:00Z'),
          ended_at: new Date('2026-03-02T15:30:00Z'),
          timespans: [{ ...span, started_at: new Date('2026-03-02T07:00:00Z'), ended_at: new Date('2026-03-02T11:00:00Z') }],
          edits: [{ at: new Date('2026-03-03T08:00:00Z'), by: 'employee' }],
        },
        references: [
          { field: 'employee_id', kind: 'employee', id: uuid(1) },
          { field: 'timespans[0].project_id', kind: 'project', id: uuid(4) },
        ],
        placement: { employeeId: uuid(1), year: 2026, month: 3 },
      },
      ignored: [],
    });
  });

  it('may be open, and so may its timespans', () => {
    expect(judge(workday, { ...line, ended_at: null, timespans: [{ ...span, ended_at: null, project_id: null }] }).fields).toMatchObject({
      ended_at: null,
      timespans: [{ ended_at: null, project_id: null }],
    });
  });

  it.each([
    { name: 'the first 02:30', local: ['25T02:30', '25T06:00'], utc: ['25T00:30', '25T05:00'] },
    { name: 'the first 02:30 as end', local: ['24T22:00', '25T02:30'], utc: ['24T20:00', '25T00:30'] },
    { name: 'the second where the first lies before the start', local: ['25T02:30', '25T02:15'], utc: ['25T00:30', '25T01:15'] },
    { name: 'the first where both fit', local: ['25T02:15', '25T02:30'], utc: ['25T00:15', '25T00:30'] },
  ])('reads local times of the repeated hour: $name', ({ local: [start = '', end = ''], utc: [startedAt = '', endedAt = ''] }) => {
    expect(on('2026-10-25', `2026-10-${start}:00`, `2026-10-${end}:00`).fields).toMatchObject({
      started_at: new Date(`2026-10-${startedAt}:00Z`),
      ended_at: new Date(`2026-10-${endedAt}:00Z`),
    });
  });

  it('is one hour shorter across the skipped hour', () => {
    expect(on('2026-03-28', '2026-03-28T22:00:00', '2026-03-29T06:00:00').fields).toMatchObject({
      started_at: new Date('2026-03-28T21:00:00Z'),
      ended_at: new Date('2026-03-29T04:00:00Z'),
    });
  });

  it.each([
    ['a day before', '2026-03-01', undefined],
    ['a day after', '2026-03-03', undefined],
    ['two days before', '2026-02-28', 'date lies more than one day from the local day of started_at.'],
    ['two days after', '2026-03-04', 'date lies more than one day from the local day of started_at.'],
  ])('checks a date %s its start', (_, day, reason) => {
    expect(on(day, '2026-03-02T00:00:00', '2026-03-02T08:00:00').reason).toBe(reason);
  });

  it.each([
    ['2026-03-30T08:00:00', undefined],
    ['2026-03-30T09:00:00', undefined],
    ['2026-03-30T09:00:01', 'ended_at lies more than 28 days after started_at.'],
  ])('lasts 28 days at most, until %s', (end, reason) => {
    expect(on('2026-03-02', '2026-03-02T08:00:00', end).reason).toBe(reason);
  });

  it.each([
    ['2026-02-01', '2026-02-01T12:00:00', '2026-03-01T12:00:00', undefined],
    ['2026-01-31', '2026-02-01T00:00:00', '2026-03-01T00:00:00', undefined],
    ['2026-01-31', '2026-02-01T00:00:01', '2026-03-01T00:00:01', 'ended_at lies after the month that follows date.'],
  ])('of %s from %s to %s ends in the month of its date or the next one, which queries read', (day, start, end, reason) => {
    expect(on(day, start, end).reason).toBe(reason);
  });

  it.each([
    [{ employee_id: undefined }, 'employee_id is required.'],
    [{ date: '2026-3-2' }, 'date must be a date like 2026-03-31.'],
    [{ started_at: undefined }, 'started_at is required.'],
    [{ started_at: '2026-03-02T08:00:00Z' }, 'started_at must be local time without Z or UTC offset.'],
    [{ ended_at: '2026-03-02T16:30:00+01:00' }, 'ended_at must be local time without Z or UTC offset.'],
    [{ ended_at: '2026-03-02 16:30' }, 'ended_at must be a local time like 2026-03-31T08:00:00.'],
    [{ ended_at: '0026-03-02T16:30:00' }, 'ended_at must not be before 1970.'],
    [{ ended_at: '2026-03-02T24:00:00' }, 'ended_at must be a local time like 2026-03-31T08:00:00.'],
    [{ ended_at: '2026-03-29T02:30:00' }, 'ended_at does not exist in Germany: clocks go forward over that hour.'],
    [{ ended_at: '2026-03-02T07:59:59' }, 'ended_at lies before started_at.'],
    [{ timespans: [{ ...span, id: null }] }, 'timespans[0].id is required.'],
    [{ timespans: [{ ...span, type: 'pause' }] }, 'timespans[0].type must be work or break.'],
    [{ timespans: [span, { ...span, ended_at: '2026-03-02T07:00:00' }] }, 'timespans[1].ended_at lies before its started_at.'],
    [{ timespans: [{ ...span, comment: 'x'.repeat(10_001) }] }, 'timespans[0].comment may not be longer than 10000 characters.'],
    [{ timespans: [{ ...span, comment: '\0' }] }, 'timespans[0].comment may not contain a NUL character.'],
    [{ timespans: [{ ...span, project_id: 'P-1' }] }, 'timespans[0].project_id must be a UUID.'],
    [{ timespans: [7] }, 'timespans[0] must be an object.'],
    [{ edits: [{ at: '2026-03-03T09:00:00', by: 'admin' }] }, 'edits[0].by must be one of employee, manager, system.'],
    [{ edits: [{ at: 'gestern', by: 'system' }] }, 'edits[0].at must be a local time like 2026-03-31T08:00:00.'],
  ])('is refused with %j', (change, reason) => {
    expect(judge(workday, { ...line, ...change }).reason).toBe(reason);
  });

  it('may have no duration, and timespans outside the shift', () => {
    expect(on('2026-03-02', '2026-03-02T08:00:00', '2026-03-02T08:00:00').reason).toBeUndefined();
    const outside = { ...span, started_at: '2026-03-01T05:00:00', ended_at: '2026-03-01T05:00:00' };
    expect(judge(workday, { ...line, timespans: [outside] }).reason).toBeUndefined();
  });
});

describe('workmonth', () => {
  const line = { employee_id: uuid(1), year: 2026, month: 3, opening_balance_minutes: -90 };

  it('belongs to its month', () => {
    expect(workmonth.judge(line)).toMatchObject({ content: { fields: line, placement: { employeeId: uuid(1), year: 2026, month: 3 } } });
  });

  it.each([
    [{ year: 1969 }, 'year must be an integer from 1970 to 9999.'],
    [{ year: '2026' }, 'year must be an integer from 1970 to 9999.'],
    [{ month: 0 }, 'month must be an integer from 1 to 12.'],
    [{ month: 13 }, 'month must be an integer from 1 to 12.'],
    [{ opening_balance_minutes: 1.5 }, 'opening_balance_minutes must be an integer from -2147483647 to 2147483647.'],
    [{ opening_balance_minutes: null }, undefined],
    [{ opening_balance_minutes: undefined }, undefined],
  ])('checks %j', (change, reason) => {
    expect(judge(workmonth, { ...line, ...change }).reason).toBe(reason);
  });

  it('stores an opening balance of −0 as 0, which JSON distinguishes', () => {
    const negative = JSON.parse('{ "opening_balance_minutes": -0 }') as object;
    expect(workmonth.judge({ ...line, ...negative })).toMatchObject({ content: { fields: { opening_balance_minutes: 0 } } });
  });
});

describe('absence', () => {
  const line = {
    employee_id: uuid(1),
    missing_type: 'vacation',
    starts_on: '2026-03-09',
    ends_on: '2026-03-13',
    day_part: 0.5,
    hours_per_day: 7.5,
  };

  it('refers to its employee and its absence type', () => {
    expect(absence.judge(line)).toEqual({
      content: {
        fields: { ...line, starts_on: 20521, ends_on: 20525 },
        references: [
          { field: 'employee_id', kind: 'employee', id: uuid(1) },
          { field: 'missing_type', kind: 'absence_type', id: 'vacation' },
        ],
      },
    });
  });

  it.each([
    [{ ends_on: '2026-03-09' }, undefined],
    [{ hours_per_day: null }, undefined],
    [{ ends_on: '2026-03-08' }, 'starts_on lies after ends_on.'],
    [
      { starts_on: '0001-01-01', ends_on: '9999-12-31' },
      'starts_on must be a date of the years 1900 to 2199. ends_on must be a date of the years 1900 to 2199.',
    ],
    [{ starts_on: '2026-01-01', ends_on: '2036-01-08' }, undefined],
    [{ starts_on: '2026-01-01', ends_on: '2036-01-09' }, 'An absence may not be longer than 3660 days.'],
    [{ day_part: 0.25 }, 'day_part must be 1 or 0.5.'],
    [{ day_part: '1' }, 'day_part must be 1 or 0.5.'],
    [{ hours_per_day: 25 }, 'hours_per_day must be a number from 0 to 24.'],
    [{ missing_type: '' }, 'missing_type may not be blank.'],
    [{ starts_on: undefined }, 'starts_on is required.'],
  ])('checks %j', (change, reason) => {
    expect(judge(absence, { ...line, ...change }).reason).toBe(reason);
  });
});

describe('absence_application', () => {
  const line = {
    employee_id: uuid(1),
    missing_type: 'vacation',
    starts_on: '2026-03-09',
    ends_on: '2026-03-13',
    status: 'pending',
    created_at: '2026-10-25T02:30:00',
  };

  it('is stored with its instant, the first one in the repeated hour of October', () => {
    expect(judge(absenceApplication, line).fields).toMatchObject({ created_at: new Date('2026-10-25T00:30:00Z') });
  });

  it.each([
    [{ ends_on: '2026-03-08' }, 'starts_on lies after ends_on.'],
    [{ status: 'open' }, 'status must be one of pending, approved, declined.'],
    [{ created_at: '2026-02-01T09:00:00Z' }, 'created_at must be local time without Z or UTC offset.'],
    [{ created_at: '2026-03-29T02:00:00' }, 'created_at does not exist in Germany: clocks go forward over that hour.'],
  ])('is refused with %j', (change, reason) => {
    expect(judge(absenceApplication, { ...line, ...change }).reason).toBe(reason);
  });
});
