import { describe, expect, it } from '@jest/globals';
import { recordsV1 } from '@stechuhr/contracts';
import mongoose from 'mongoose';
import type { MonthDocument } from '../month-document.js';
import { monthIdOf } from './month-index.js';
import { writeMessages, type ReadEmployee } from './write-messages.js';

const day = (text: string) => new Date(text);
const span = { id: 's1', type: 'work', started_at: day('2026-03-02T07:00:00Z'), ended_at: day('2026-03-02T11:00:00Z') };
const workday = {
  id: 'w1',
  date: 20514,
  started_at: day('2026-03-02T07:00:00Z'),
  ended_at: day('2026-03-02T15:30:00Z'),
  timespans: [
    { ...span, project_id: 'p1', comment: `Größe 10 m² 😀 ${'x'.repeat(200)}` },
    { ...span, id: 's2', type: 'break', ended_at: null, project_id: null, comment: null },
  ],
  edits: [{ at: day('2026-03-03T07:00:00Z'), by: 'employee' }],
  version: 1,
  sequence: 7,
};
const spans = [
  { id: 's1', type: 1, startedAt: 1772434800, endedAt: 1772449200, projectId: 'p1', comment: `Größe 10 m² 😀 ${'x'.repeat(200)}` },
  { id: 's2', type: 2, startedAt: 1772434800, endedAt: undefined, projectId: undefined, comment: undefined },
];
const answered = { id: 'w1', date: 20514, startedAt: 1772434800, endedAt: 1772465400, timespans: spans, edits: [] };

function monthOf(month: number, given: object): Buffer {
  const document: MonthDocument = {
    _id: `i/e/2026-0${String(month)}`,
    institution_id: 'i',
    employee_id: 'e',
    year: 2026,
    month,
    version: 3,
    id: `month ${String(month)}`,
    recorded: true,
    opening_balance_minutes: null,
    sequence: 9,
    workdays: [],
    outbox: [],
    ...given,
  };
  return Buffer.from(mongoose.mongo.BSON.serialize(document));
}

const employee = (employeeId: string, ...months: Buffer[]): ReadEmployee => ({
  employeeId,
  contracts: [],
  absences: [],
  applications: [],
  months,
});

function read(employees: readonly ReadEmployee[], withEdits = false) {
  return [...writeMessages(employees, { withEdits })].map((message) => recordsV1.ReadTimeRecordsResponse.decode(message).employees);
}

describe('writeMessages', () => {
  it('counts contracts and absences, too, for the size of a message', () => {
    const contracts = Array.from({ length: 3_000 }, (_, n) => recordsV1.Contract.fromPartial({ id: `contract ${String(n)}` }));
    const employees = ['a', 'b', 'c'].map((employeeId) => ({ ...employee(employeeId), contracts }));
    expect(read(employees).map((message) => message.map(({ employeeId }) => employeeId))).toEqual([['a'], ['b'], ['c']]);
  });

  it('names an employee whose records do not fit into a message', () => {
    const timespans = Array.from({ length: 9 }, () => ({ ...span, project_id: null, comment: 'x'.repeat(1_000_000) }));
    const months = [monthOf(3, { workdays: [{ ...workday, timespans }] })];
    const reason = /^Employee e has 9\d{6} bytes of workdays to be read, of at most 8388608[.] Ask for fewer days[.]$/;
    expect(() => read([employee('d'), employee('e', ...months)])).toThrow(
      expect.objectContaining({ code: 'invalid', details: { non_field_errors: [expect.stringMatching(reason)] } }),
    );
  });

  it('writes messages that the generated code reads', () => {
    const contract = { id: 'c', validFrom: -30, validTo: undefined, plannedMinutes: [480, 0, 0, 0, 0, 0, 0], overtimeMinHours: -1.5 };
    const contracts = [{ ...contract, overtimeMaxHours: undefined }];
    const absences = [{ id: 'a', missingType: 'sick', startsOn: 1, endsOn: 2, dayPart: 0.5, hoursPerDay: undefined }];
    const months = [monthOf(2, { opening_balance_minutes: -90 }), monthOf(3, { opening_balance_minutes: 300, workdays: [workday] })];
    const status = recordsV1.ApplicationStatus.APPLICATION_STATUS_PENDING;
    const applications = [{ id: 'b', missingType: 'vacation', startsOn: 3, endsOn: 4, status, createdAt: 1772434800 }];
    expect(read([{ employeeId: 'e', contracts, absences, applications, months }])).toEqual([
      [
        {
          employeeId: 'e',
          contracts,
          absences,
          applications,
          workmonths: [
            { id: 'month 2', year: 2026, month: 2, openingBalanceMinutes: -90, workdays: [] },
            { id: 'month 3', year: 2026, month: 3, openingBalanceMinutes: 300, workdays: [answered] },
          ],
        },
      ],
    ]);
  });

  it('leaves out missing fields: an opening balance, an end, timespans that were not requested', () => {
    const open = { id: 'w2', date: -1, started_at: day('1969-12-31T23:30:00Z'), ended_at: null, version: 1 };
    expect(read([employee('e', monthOf(1, { workdays: [open] }))])[0]?.[0]?.workmonths).toEqual([
      {
        id: 'month 1',
        year: 2026,
        month: 1,
        openingBalanceMinutes: undefined,
        workdays: [{ id: 'w2', date: -1, startedAt: -1800, endedAt: undefined, timespans: [], edits: [] }],
      },
    ]);
  });

  it('writes edits if they are requested', () => {
    const at = day('2026-03-03T07:00:00Z');
    const edits = ['employee', 'manager', 'system'].map((by) => ({ at, by }));
    expect(read([employee('e', monthOf(3, { workdays: [{ ...workday, edits }] }))], true)[0]?.[0]?.workmonths[0]?.workdays).toEqual([
      { ...answered, edits: [1, 2, 3].map((by) => ({ at: 1772521200, by })) },
    ]);
  });

  it('sorts workdays by start, then id', () => {
    const at = (id: string, started_at: string) => ({ ...workday, id, started_at: day(started_at), timespans: [] });
    const workdays = [at('c', '2026-03-05T07:00:00Z'), at('b', '2026-03-02T07:00:00Z'), at('a', '2026-03-05T07:00:00Z')];
    expect(read([employee('e', monthOf(3, { workdays }))])[0]?.[0]?.workmonths[0]?.workdays.map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  });

  it('writes only the newest copy of a workday that is being moved', () => {
    const months = [monthOf(2, { workdays: [{ ...workday, version: 2 }] }), monthOf(3, { workdays: [{ ...workday, id: 'w2' }, workday] })];
    const ids = read([employee('e', ...months)])[0]?.[0]?.workmonths.map(({ workdays }) => workdays.map(({ id }) => id));
    expect(ids).toEqual([['w1'], ['w2']]);
  });

  it.each<[string, object, object, string[][]]>([
    ['the newer one in the stream', { sequence: 2 ** 40 }, { sequence: 7 }, [['w1'], []]],
    ['the one that a live object wrote', { sequence: 1 }, {}, [['w1'], []]],
    ['that of the later month', {}, {}, [[], ['w1']]],
  ])('writes one of two copies that two processes created at the same time: %s', (_, first, second, expected) => {
    const { sequence: _none, ...unsent } = workday;
    const months = [first, second].map((given, at) => monthOf(at + 2, { workdays: [{ ...unsent, ...given }] }));
    expect(read([employee('e', ...months)])[0]?.[0]?.workmonths.map(({ workdays }) => workdays.map(({ id }) => id))).toEqual(expected);
  });

  it('packs employees into messages of limited size, in their order', () => {
    const workdays = Array.from({ length: 200 }, (_, index) => ({ ...workday, id: `w${String(index)}` }));
    const big = monthOf(3, { workdays });
    const messages = read(['1', '2', '3', '4', '5', '6'].map((id) => employee(id, ...(id === '6' ? [] : [big]))));
    expect(messages.length).toBeGreaterThan(1);
    expect(messages.flat().map(({ employeeId, workmonths }) => [employeeId, workmonths[0]?.workdays.length])).toEqual([
      ['1', 200],
      ['2', 200],
      ['3', 200],
      ['4', 200],
      ['5', 200],
      ['6', undefined],
    ]);
  });

  it('writes nothing without employees', () => {
    expect(read([])).toEqual([]);
  });
});

describe('monthIdOf', () => {
  it('reads the key of a month', () => {
    expect(monthIdOf(monthOf(3, {}))).toBe('i/e/2026-03');
  });
});
