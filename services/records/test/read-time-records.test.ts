import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordsV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { connectMongo } from '@stechuhr/mongo';
import { createLogger, readStream } from '@stechuhr/service';
import {
  buildAbsence,
  buildAbsenceApplication,
  buildContract,
  buildDepartment,
  buildEmployee,
  buildInstitution,
  buildProject,
  buildTimespan,
  buildWorkday,
  buildWorkmonth,
  testServers,
  type TestServers,
} from '@stechuhr/testing';
import { parseLocalDate } from '@stechuhr/worktime';
import { Readers } from '../src/operations/month-slices.js';
import type { TimeRecords } from '../src/operations/ports.js';
import { readTimeRecords } from '../src/operations/read-time-records.js';
import { createTimeRecords } from '../src/store/time-records.js';
import { startRecords, timeRequest, type RunningRecords } from './support/running-records.js';

let servers: TestServers;
let records: RunningRecords;

const day = (text: string) => parseLocalDate(text) ?? Number.NaN;
const seconds = (text: string) => Date.parse(text) / 1000;
const institution = buildInstitution();
const ids = { institution_id: institution.id };
const here = { institutionId: institution.id };
const department = buildDepartment(ids);
const project = buildProject(ids);
const employees = Array.from({ length: 260 }, (_, number) =>
  buildEmployee({ ...ids, number: String(number), department_id: number % 2 === 0 ? department.id : null }),
);
const employeeIds = employees.map(({ id }) => id);
const one = { ...ids, employee_id: employeeIds[0] ?? '' };
const march = { fromDay: day('2026-03-01'), toDay: day('2026-03-31') };

const span = buildTimespan({ started_at: '2026-03-31T22:00:00', ended_at: null, project_id: project.id, comment: 'Beton – 2 m³' });
const night = buildWorkday({ ...one, date: '2026-04-01', started_at: '2026-03-31T22:00:00', ended_at: null, timespans: [span] });
const contracts = [
  buildContract({ ...one, valid_from: '2020-01-01', valid_to: '2026-02-28' }),
  buildContract({ ...one, valid_from: '2026-03-31', valid_to: null, overtime_min_hours: -40.5 }),
  buildContract({ ...one, valid_from: '2026-03-01', valid_to: '2026-03-01' }),
  buildContract({ ...one, valid_from: '2026-04-01' }),
];
const absences = [
  buildAbsence({ ...one, starts_on: '2026-02-01', ends_on: '2026-02-28' }),
  buildAbsence({ ...one, starts_on: '2026-02-20', ends_on: '2026-03-01', day_part: 0.5, hours_per_day: 3.5 }),
  buildAbsence({ ...one, starts_on: '2026-04-01', ends_on: '2026-04-02' }),
];
const workmonths = ['01', '02', '03', '04', '05'].map((month) => buildWorkday({ ...one, date: `2026-${month}-10`, timespans: [] }));

beforeAll(async () => {
  servers = await testServers();
  records = await startRecords(servers);
  const others = employeeIds.slice(1).map((employee_id) => buildWorkday({ ...ids, employee_id }));
  const balance = buildWorkmonth({ ...one, opening_balance_minutes: -90 });
  await records.importLines(
    institution,
    department,
    project,
    ...employees,
    ...contracts,
    ...absences,
    ...workmonths,
    balance,
    night,
    ...others,
  );
});
afterAll(async () => {
  await records.stop();
  await servers.stop();
});

describe('an overtime account', () => {
  const { RecordPart } = recordsV1;
  const usual = [RecordPart.RECORD_PART_CONTRACTS, RecordPart.RECORD_PART_ABSENCES, RecordPart.RECORD_PART_WORKDAYS];
  /**
   * An employee with a workday on the 10th of each month from 2025-10 to 2026-05, a contract and an absence that ended in 2025, and opening
   * balances in the given months.
   */
  function account(...balances: string[]): { id: string; lines: object[] } {
    const employee = buildEmployee(ids);
    const own = { ...ids, employee_id: employee.id };
    const months = ['2025-10', '2025-11', '2025-12', '2026-01', '2026-02', '2026-03', '2026-04', '2026-05'];
    const lines = [
      employee,
      buildContract({ ...own, valid_from: '2025-11-05', valid_to: '2025-12-31' }),
      buildAbsence({ ...own, starts_on: '2025-11-20', ends_on: '2025-11-21' }),
      ...months.map((month) => buildWorkday({ ...own, date: `${month}-10`, timespans: [] })),
      ...balances.map((month, index) => {
        const [years, number] = month.split('-').map(Number);
        return buildWorkmonth({ ...own, year: years ?? 0, month: number ?? 0, opening_balance_minutes: index * 60 });
      }),
    ];
    return { id: employee.id, lines };
  }
  const accounts = {
    none: account(),
    early: account('2025-11', '2026-05'),
    several: account('2025-10', '2025-12', '2026-01'),
    present: account('2025-10', '2026-03'),
  };
  const empty = buildEmployee(ids);

  beforeAll(async () => {
    await records.importLines(empty, ...Object.values(accounts).flatMap(({ lines }) => lines));
  });

  const readMonths = async (...more: recordsV1.RecordPart[]) =>
    (
      await records.timeRecords(here, {
        employeeIds: [accounts.none.id, accounts.early.id, accounts.several.id, accounts.present.id, empty.id],
        ...march,
        parts: [...usual, ...more],
      })
    ).map((found) => ({
      months: found.workmonths.map(({ year: inYear, month, openingBalanceMinutes }) => [inYear, month, openingBalanceMinutes]),
      contracts: found.contracts.length,
      absences: found.absences.length,
    }));

  it('is read from its latest opening balance up to the month of the last day, or else from its first month', async () => {
    const spring = [[2026, 2, undefined], [2026, 3, undefined], [2026, 4, undefined]]; // prettier-ignore
    expect(await readMonths(RecordPart.RECORD_PART_OPENING_BALANCES)).toEqual([
      {
        months: [[2025, 10, undefined], [2025, 11, undefined], [2025, 12, undefined], [2026, 1, undefined], ...spring],
        contracts: 1,
        absences: 1,
      },
      { months: [[2025, 10, undefined], [2025, 11, 0], [2025, 12, undefined], [2026, 1, undefined], ...spring], contracts: 1, absences: 1 },
      { months: [[2025, 12, 60], [2026, 1, 120], ...spring], contracts: 0, absences: 0 },
      {
        months: [
          [2026, 2, undefined],
          [2026, 3, 60],
          [2026, 4, undefined],
        ],
        contracts: 0,
        absences: 0,
      },
      { months: [], contracts: 0, absences: 0 },
    ]);
  });

  it('is not read unless it is requested', async () => {
    const found = await readMonths();
    expect(found.map(({ months }) => months.length)).toEqual([3, 3, 3, 3, 0]);
  });
});

describe('the records that a review needs', () => {
  const { ApplicationStatus, Editor, RecordPart } = recordsV1;
  const reviewed = buildEmployee(ids);
  const own = { ...ids, employee_id: reviewed.id };
  const edits = [{ at: '2026-03-12T09:00:00', by: 'manager' }];
  const apply = (starts_on: string, ends_on: string) => buildAbsenceApplication({ ...own, starts_on, ends_on });
  const pending = apply('2026-02-20', '2026-03-01');
  const former = buildContract({ ...own, valid_from: '2020-01-01', valid_to: '2025-12-31' });
  const all = [RecordPart.RECORD_PART_CONTRACTS, RecordPart.RECORD_PART_TIMESPANS];

  beforeAll(() =>
    records.importLines(
      reviewed,
      former,
      buildWorkday({ ...own, edits }),
      pending,
      apply('2026-02-01', '2026-02-28'),
      apply('2026-04-01', '2026-04-02'),
    ),
  );

  it('are read if they are requested: edits, applications, earlier contracts', async () => {
    const more = [RecordPart.RECORD_PART_EDITS, RecordPart.RECORD_PART_APPLICATIONS, RecordPart.RECORD_PART_EARLIER_CONTRACTS];
    const [found] = await records.timeRecords(here, { employeeIds: [reviewed.id], ...march, parts: [...all, ...more] });
    expect(found?.workmonths[0]?.workdays[0]?.edits).toEqual([{ at: seconds('2026-03-12T08:00:00Z'), by: Editor.EDITOR_MANAGER }]);
    expect(found?.applications).toEqual([
      {
        id: pending.id,
        missingType: 'vacation',
        startsOn: day('2026-02-20'),
        endsOn: day('2026-03-01'),
        status: ApplicationStatus.APPLICATION_STATUS_PENDING,
        createdAt: seconds('2026-02-01T08:00:00Z'),
      },
    ]);
    expect(found?.contracts.map(({ id }) => id)).toEqual([former.id]);
  });

  it('are not read otherwise', async () => {
    const [found] = await records.timeRecords(here, { employeeIds: [reviewed.id], ...march, parts: all });
    expect(found?.workmonths[0]?.workdays[0]).toMatchObject({ edits: [], timespans: expect.arrayContaining([]) });
    expect([found?.applications, found?.contracts]).toEqual([[], []]);
  });
});

describe('readTimeRecords', () => {
  it('returns records that overlap the days, and complete months with their neighbours', async () => {
    const [found] = await records.timeRecords(here, { employeeIds: [one.employee_id], ...march });
    expect(found?.contracts.map(({ id }) => id).sort()).toEqual([contracts[1]?.id, contracts[2]?.id].sort());
    expect(found?.contracts.find(({ id }) => id === contracts[1]?.id)).toEqual({
      id: contracts[1]?.id,
      validFrom: day('2026-03-31'),
      validTo: undefined,
      plannedMinutes: [480, 480, 480, 480, 480, 0, 0],
      overtimeMinHours: -40.5,
      overtimeMaxHours: undefined,
    });
    const absence = { id: absences[1]?.id, missingType: 'vacation', startsOn: day('2026-02-20'), endsOn: day('2026-03-01') };
    expect(found?.absences).toEqual([{ ...absence, dayPart: 0.5, hoursPerDay: 3.5 }]);
    expect(found?.workmonths.map(({ year, month, openingBalanceMinutes }) => [year, month, openingBalanceMinutes])).toEqual([
      [2026, 2, undefined],
      [2026, 3, -90],
      [2026, 4, undefined],
    ]);
    expect(found?.workmonths[2]?.workdays).toEqual([
      {
        id: night.id,
        date: day('2026-04-01'),
        startedAt: seconds('2026-03-31T20:00:00Z'),
        endedAt: undefined,
        timespans: [
          {
            id: span.id,
            type: recordsV1.TimespanType.TIMESPAN_TYPE_WORK,
            startedAt: seconds('2026-03-31T20:00:00Z'),
            endedAt: undefined,
            projectId: project.id,
            comment: 'Beton – 2 m³',
          },
        ],
        edits: [],
      },
      expect.objectContaining({ id: workmonths[3]?.id }),
    ]);
  });

  it.each<[string, recordsV1.RecordPart[], number[]]>([
    ['nothing', [], [0, 0, 0, 0]],
    ['contracts', [recordsV1.RecordPart.RECORD_PART_CONTRACTS], [2, 0, 0, 0]],
    ['absences', [recordsV1.RecordPart.RECORD_PART_ABSENCES], [0, 1, 0, 0]],
    ['workdays', [recordsV1.RecordPart.RECORD_PART_WORKDAYS], [0, 0, 4, 0]],
    ['timespans', [recordsV1.RecordPart.RECORD_PART_TIMESPANS], [0, 0, 4, 1]],
  ])('answers %s where only that is asked for', async (_, parts, counts) => {
    const [found] = await records.timeRecords(here, { employeeIds: [one.employee_id], ...march, parts });
    const workdays = found?.workmonths.flatMap((month) => month.workdays) ?? [];
    const timespans = workdays.flatMap((workday) => workday.timespans);
    expect([found?.contracts.length, found?.absences.length, workdays.length, timespans.length]).toEqual(counts);
  });

  it('returns every employee once, in the requested order, in several slices and few messages', async () => {
    const { client } = records;
    const wanted = [...employeeIds.toReversed(), employeeIds[3] ?? ''];
    const answered: string[] = [];
    let messages = 0;
    for await (const { employees: found } of readStream(
      client,
      client.readTimeRecords,
      timeRequest(here, { employeeIds: wanted, ...march }),
    )) {
      messages += 1;
      for (const { employeeId, workmonths: months } of found) {
        answered.push(employeeId);
        expect(months.length).toBeGreaterThan(0);
      }
    }
    expect(answered).toEqual(employeeIds.toReversed());
    expect(messages).toBeLessThan(10);
  });

  it('leaves out employees whom the caller may not see, and invalid ids', async () => {
    const idsOf = async (sight: Parameters<RunningRecords['timeRecords']>[0]) =>
      (
        await records.timeRecords(sight, {
          employeeIds: ['x', newId(), ...employeeIds.slice(0, 4).map((id) => id.toUpperCase())],
          ...march,
        })
      ).map(({ employeeId }) => employeeId);
    expect(await idsOf(here)).toEqual(employeeIds.slice(0, 4));
    expect(await idsOf({ ...here, departmentIds: [department.id] })).toEqual([employeeIds[0], employeeIds[2]]);
    expect(await idsOf({ ...here, departmentIds: [] })).toEqual([]);
    expect(await idsOf({ institutionId: newId() })).toEqual([]);
  });

  it('reads as many employees at a time as fit, for a range of years', async () => {
    const years = { fromDay: day('2020-01-01'), toDay: day('2026-12-31') };
    const found = await records.timeRecords(here, { employeeIds: employeeIds.slice(0, 30), ...years });
    expect(found.map(({ employeeId }) => employeeId)).toEqual(employeeIds.slice(0, 30));
    expect(found[0]?.workmonths.map(({ month }) => month)).toEqual([1, 2, 3, 4, 5]);
  });

  it.each([
    ['reversed', { fromDay: 10, toDay: 9 }],
    ['endless', { fromDay: 0, toDay: 2_000_000_000 }],
    // The day before 0001-01-01, and the one after 9999-12-31.
    ['from a day that no date can write', { fromDay: -719_163, toDay: -719_162 }],
    ['to a day that no date can write', { fromDay: 2_932_896, toDay: 2_932_897 }],
    ['of an unknown part', { fromDay: 0, toDay: 0, parts: [recordsV1.RecordPart.RECORD_PART_UNSPECIFIED] }],
  ])('refuses a request that is %s', async (_, request) => {
    await expect(records.timeRecords(here, { employeeIds, ...request })).rejects.toMatchObject({ code: 'invalid' });
  });

  it('stops reading when the caller cancels, after the slice that was read ahead', async () => {
    const database = await connectMongo({
      url: servers.mongodbUrl,
      database: servers.database('records'),
      logger: createLogger('test', 'fatal'),
    });
    const timeRecords = createTimeRecords(database);
    let slices = 0;
    const counted: TimeRecords = {
      ...timeRecords,
      read: (...slice) => {
        slices += 1;
        return timeRecords.read(...slice);
      },
    };
    const everything = {
      fromDay: day('2000-01-01'),
      toDay: day('2026-12-31'),
      parts: new Set(['workdays'] as const),
      signal: new AbortController().signal,
    };
    const caller = { institutionId: institution.id, accountId: institution.id, departmentIds: null, projectIds: null };
    for await (const message of readTimeRecords({ timeRecords: counted, readers: new Readers() }, caller, employeeIds, everything)) {
      expect(recordsV1.ReadTimeRecordsResponse.decode(message).employees[0]?.employeeId).toBe(employeeIds[0]);
      break;
    }
    await database.close();
    expect(slices).toBe(2);
  });
});

describe('the time records of employees with long comments', () => {
  it('reads few employees at a time if their months are large', async () => {
    const rival = buildInstitution();
    const busy = Array.from({ length: 12 }, () => buildEmployee({ institution_id: rival.id }));
    const days = busy.map(({ id }) => Array.from({ length: 20 }, () => largeWorkday({ institution_id: rival.id, employee_id: id })));
    for (const lines of [[rival, ...busy], ...days]) expect((await records.importLines(...lines)).rejected).toEqual([]);
    const database = await connectMongo({
      url: servers.mongodbUrl,
      database: servers.database('records'),
      logger: createLogger('test', 'fatal'),
    });
    const timeRecords = createTimeRecords(database);
    const sizesOf = async (institutionId: string, ids: readonly string[]) => {
      const sizes: number[] = [];
      const counted: TimeRecords = {
        ...timeRecords,
        read: async (_caller, { employeeIds: slice }) => {
          sizes.push(slice.length);
          return [];
        },
      };
      const query = { ...march, parts: new Set(['workdays'] as const), signal: new AbortController().signal };
      const caller = { institutionId, accountId: institutionId, departmentIds: null, projectIds: null };
      await Array.fromAsync(readTimeRecords({ timeRecords: counted, readers: new Readers() }, caller, ids, query));
      return sizes;
    };
    const others = Array.from({ length: 50 }, () => newId());
    // Three months of each employee: the month of the requested days and its neighbours. A month of 1.2 MB counts as 18.
    expect(await sizesOf(institution.id, others)).toEqual([33, 17]);
    expect(await sizesOf(rival.id, others)).toEqual([33, 17]);
    expect(await sizesOf(rival.id, [...busy.map(({ id }) => id), ...others])).toEqual([4, 36, 22]);
    await database.close();
  });

  it('reads fewer employees at a time if their months are too large together, although none of them is large', async () => {
    const rival = buildInstitution();
    const staff = Array.from({ length: 40 }, () => buildEmployee({ institution_id: rival.id }));
    const months = staff.flatMap(({ id: employee_id }) =>
      ['03', '04'].map((month) =>
        Array.from({ length: 4 }, () => largeWorkday({ institution_id: rival.id, employee_id, date: `2026-${month}-02` })),
      ),
    );
    expect((await records.importLines(rival, ...staff)).rejected).toEqual([]);
    for (let at = 0; at < months.length; at += 16)
      expect((await records.importLines(...months.slice(at, at + 16).flat())).rejected).toEqual([]);
    const database = await connectMongo({
      url: servers.mongodbUrl,
      database: servers.database('records'),
      logger: createLogger('test', 'fatal'),
    });
    const timeRecords = createTimeRecords(database);
    const sizes: (number | undefined)[] = [];
    const counted: TimeRecords = {
      ...timeRecords,
      read: async (caller, slice, query) => {
        const messages = await timeRecords.read(caller, slice, query);
        sizes.push(messages && slice.employeeIds.length);
        return messages;
      },
    };
    const ids = staff.map(({ id }) => id);
    const query = { ...march, parts: new Set(['timespans'] as const), signal: new AbortController().signal };
    const caller = { institutionId: rival.id, accountId: rival.id, departmentIds: null, projectIds: null };
    const messages = await Array.fromAsync(readTimeRecords({ timeRecords: counted, readers: new Readers() }, caller, ids, query));
    const read = messages.flatMap((message) => recordsV1.ReadTimeRecordsResponse.decode(message).employees);
    expect(read.map(({ employeeId }) => employeeId)).toEqual(ids);
    expect(read.flatMap(({ workmonths }) => workmonths.map(({ workdays }) => workdays.length))).toEqual(months.map(() => 4));
    // 33 employees with three months each have 16 MB, of at most 8 MiB.
    expect(sizes.filter((size) => size !== undefined).toSorted((a, b) => a - b)).toEqual([7, 16, 17]);
    expect(sizes).toContain(undefined);
    await database.close();
  });

  it('reads full months one at a time, and names the employee who has too many for one message', async () => {
    const rival = buildInstitution();
    const [busy, idle] = [buildEmployee({ institution_id: rival.id }), buildEmployee({ institution_id: rival.id })];
    const own = { institution_id: rival.id, employee_id: busy.id };
    const months = ['02', '03', '04', '05'];
    const days = months.map((month) => Array.from({ length: 30 }, () => largeWorkday({ ...own, date: `2026-${month}-02` })));
    for (const lines of [[rival, busy, idle], ...days]) expect((await records.importLines(...lines)).rejected).toEqual([]);
    const sight = { institutionId: rival.id };
    const ask = { employeeIds: [idle.id, busy.id] };
    const [, read] = await records.timeRecords(sight, { ...ask, ...march });
    expect(read?.workmonths.map(({ workdays }) => workdays.length)).toEqual([30, 30, 30]);
    const size = new RegExp(`^Employee ${busy.id} has 7\\d{6} bytes of workdays to be read, of at most 6291456[.] `);
    const refusal = (way: string) => ({ code: 'invalid', details: { non_field_errors: [expect.stringMatching(size.source + way)] } });
    const quarter = { fromDay: day('2026-03-01'), toDay: day('2026-04-30') };
    await expect(records.timeRecords(sight, { ...ask, ...quarter })).rejects.toMatchObject(refusal('Ask for fewer days[.]$'));
    await expect(
      records.timeRecords(sight, { ...ask, ...quarter, parts: [recordsV1.RecordPart.RECORD_PART_ABSENCES] }),
    ).resolves.toHaveLength(2);
    const june = { fromDay: day('2026-06-01'), toDay: day('2026-06-30') };
    const account = {
      ...ask,
      ...june,
      parts: [recordsV1.RecordPart.RECORD_PART_WORKDAYS, recordsV1.RecordPart.RECORD_PART_OPENING_BALANCES],
    };
    const way = 'The opening balance of a later month makes them fewer[.]$';
    await expect(records.timeRecords(sight, account)).rejects.toMatchObject(refusal(way));
    await records.importLines(buildWorkmonth({ ...own, month: 4, opening_balance_minutes: 60 }));
    expect((await records.timeRecords(sight, account))[1]?.workmonths.map(({ month }) => month)).toEqual([3, 4, 5]);
  });
});

describe('an overtime account', () => {
  it('names the employee whose overtime account has too many months of usual size for one message', async () => {
    const rival = buildInstitution();
    const [busy, idle] = [buildEmployee({ institution_id: rival.id }), buildEmployee({ institution_id: rival.id })];
    const own = { institution_id: rival.id, employee_id: busy.id };
    const months = Array.from({ length: 54 }, (_, n) => `${String(2020 + Math.floor(n / 12))}-${String((n % 12) + 1).padStart(2, '0')}`);
    const days = months.flatMap((month) => Array.from({ length: 4 }, () => largeWorkday({ ...own, date: `${month}-02` })));
    await records.importLines(rival, busy, idle);
    for (let at = 0; at < days.length; at += 72) expect((await records.importLines(...days.slice(at, at + 72))).rejected).toEqual([]);
    const account = {
      ...march,
      employeeIds: [busy.id],
      parts: [recordsV1.RecordPart.RECORD_PART_WORKDAYS, recordsV1.RecordPart.RECORD_PART_OPENING_BALANCES],
    };
    const size = `^Employee ${busy.id} has 13\\d{6} bytes of workdays to be read, of at most 12582912[.] The opening balance of a later month`;
    await expect(records.timeRecords({ institutionId: rival.id }, account)).rejects.toMatchObject({
      code: 'invalid',
      details: { non_field_errors: [expect.stringMatching(size)] },
    });
    const many = { ...account, employeeIds: [idle.id, ...Array.from({ length: 1_000 }, () => newId()), busy.id] };
    const messages = readStream(records.client, records.client.readTimeRecords, timeRequest({ institutionId: rival.id }, many));
    await expect(messages.next()).rejects.toMatchObject({ code: 'invalid' });
    await records.importLines(buildWorkmonth({ ...own, year: 2023, month: 1, opening_balance_minutes: 60 }));
    const [read] = await records.timeRecords({ institutionId: rival.id }, account);
    expect(read?.workmonths).toHaveLength(19);
  });
});

/** Comments of 60 kB. */
function largeWorkday(given: Parameters<typeof buildWorkday>[0]) {
  const date = given.date ?? '2026-03-02';
  const times = { started_at: `${date}T06:00:00`, ended_at: `${date}T12:00:00` };
  const timespans = Array.from({ length: 6 }, () => buildTimespan({ ...times, comment: 'x'.repeat(10_000) }));
  return buildWorkday({ ...given, date, ...times, timespans });
}
