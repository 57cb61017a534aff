import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { browseV1, commonV1 } from '@stechuhr/contracts';
import { callUnary, createGrpcClient, readStream } from '@stechuhr/service';
import {
  buildAbsence,
  buildAbsenceApplication,
  buildAccount,
  buildContract,
  buildDeletion,
  buildDepartment,
  buildEmployee,
  buildInstitution,
  buildProject,
  buildTimespan,
  buildWorkday,
  buildWorkmonth,
  judgeOutOfBounds,
  OUT_OF_BOUNDS,
  testServers,
  type TestServers,
} from '@stechuhr/testing';
import { formatLocalDate } from '@stechuhr/worktime';
import { startRecords, type RunningRecords } from './support/running-records.js';

const { RecordGroup, BrowseServiceClient } = browseV1;
const id = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

const institution = buildInstitution({ id: id(1) });
const ours = { institution_id: institution.id };
const foreign = buildInstitution({ id: id(2), name: 'Andere GmbH' });
const theirs = { institution_id: foreign.id };
const [OFFICE, YARD] = [id(11), id(12)];
const [LEADER, ADMIN] = [id(21), id(22)];
const [ABEL, BLAU, CRON, FOREIGN] = [id(31), id(32), id(33), id(39)];

const span = { started_at: '2026-02-10T08:00:00', ended_at: '2026-02-10T09:00:00' };

/** Returns this number of dates from 2026-01-30 on, across two month boundaries. */
const DATES = Array.from({ length: 33 }, (_, day) => formatLocalDate(20_483 + day));

const tracked = [ABEL, BLAU, CRON].flatMap((employee_id, e) =>
  DATES.map((date, d) => {
    const number = 0x1000 + e * 0x100 + d;
    const times = { started_at: `${date}T08:00:00`, ended_at: `${date}T12:00:00` };
    const timespans = [2, 1].map((n) =>
      buildTimespan({ ...times, started_at: `${date}T0${String(7 + n)}:00:00`, id: id(number + n * 0x10_000) }),
    );
    return buildWorkday({ ...ours, ...times, id: id(number), employee_id, date, timespans });
  }),
);

const lines = [
  institution,
  foreign,
  buildDepartment({ ...ours, id: OFFICE, name: 'Büro' }),
  buildDepartment({ ...ours, id: YARD, name: 'Bauhof', cost_center: '77' }),
  buildAccount({ ...ours, id: ADMIN, first_name: 'Ada', last_name: 'Ober', email: 'ada@example.com' }),
  buildAccount({ ...ours, id: LEADER, last_name: 'Unter', role: 'department_leader', department_ids: [OFFICE] }),
  buildEmployee({ ...ours, id: ABEL, last_name: 'Abel', first_name: 'Änne', number: '3', department_id: OFFICE, email: 'a@b.de' }),
  buildEmployee({ ...ours, id: BLAU, last_name: 'Blau', first_name: 'Bernd', number: '2', department_id: YARD, hired_on: '2019-01-01' }),
  buildEmployee({ ...ours, id: CRON, last_name: 'Cron', first_name: 'Carla', number: '1', archived_on: '2026-02-01' }),
  buildProject({ ...ours, id: id(41), name: 'Halle', code: 'H', archived: false }),
  buildProject({ ...ours, id: id(42), name: 'Anbau', code: 'Z', archived: false }),
  buildProject({ ...ours, id: id(43), name: 'Zeche', code: 'A', archived: true }),
  buildContract({ ...ours, id: id(51), employee_id: BLAU, valid_from: '2025-01-01', valid_to: '2025-12-31' }),
  buildContract({ ...ours, id: id(52), employee_id: BLAU, valid_from: '2026-01-01' }),
  buildContract({ ...ours, id: id(53), employee_id: ABEL, valid_from: '2026-01-01' }),
  buildWorkmonth({ ...ours, id: id(61), employee_id: BLAU, year: 2025, month: 12, opening_balance_minutes: 90 }),
  buildAbsence({ ...ours, id: id(71), employee_id: BLAU, starts_on: '2026-02-27', ends_on: '2026-03-02' }),
  buildAbsence({ ...ours, id: id(72), employee_id: ABEL, starts_on: '2026-02-27', ends_on: '2026-02-27' }),
  buildAbsence({ ...ours, id: id(73), employee_id: ABEL, starts_on: '2026-01-05', ends_on: '2026-01-05' }),
  buildAbsenceApplication({
    ...ours,
    id: id(81),
    employee_id: ABEL,
    starts_on: '2026-05-04',
    ends_on: '2026-05-08',
    created_at: '2026-03-01T10:00:00',
  }),
  buildAbsenceApplication({
    ...ours,
    id: id(82),
    employee_id: BLAU,
    starts_on: '2026-06-01',
    ends_on: '2026-06-05',
    created_at: '2026-01-01T10:00:00',
  }),
  ...tracked,
  buildEmployee({ ...theirs, id: FOREIGN, last_name: 'Zander' }),
  buildDepartment({ ...theirs, id: id(91) }),
  buildAccount({ ...theirs, id: id(92) }),
  buildProject({ ...theirs, id: id(93) }),
  buildContract({ ...theirs, id: id(94), employee_id: FOREIGN }),
  buildAbsence({ ...theirs, id: id(95), employee_id: FOREIGN }),
  buildAbsenceApplication({ ...theirs, id: id(96), employee_id: FOREIGN }),
  buildWorkday({ ...theirs, id: id(97), employee_id: FOREIGN, date: '2026-02-10', timespans: [buildTimespan({ ...span, id: id(98) })] }),
];

type Group = keyof typeof groups;
const groups = {
  employees: RecordGroup.RECORD_GROUP_EMPLOYEES,
  groups: RecordGroup.RECORD_GROUP_GROUPS,
  projects: RecordGroup.RECORD_GROUP_PROJECTS,
  contracts: RecordGroup.RECORD_GROUP_CONTRACTS,
  workdays: RecordGroup.RECORD_GROUP_WORKDAYS,
  workmonths: RecordGroup.RECORD_GROUP_WORKMONTHS,
  timespans: RecordGroup.RECORD_GROUP_TIMESPANS,
  absences: RecordGroup.RECORD_GROUP_ABSENCES,
  applications: RecordGroup.RECORD_GROUP_ABSENCE_APPLICATIONS,
  institutions: RecordGroup.RECORD_GROUP_INSTITUTIONS,
  managers: RecordGroup.RECORD_GROUP_MANAGERS,
} as const;

let servers: TestServers;
let records: RunningRecords;
let client: browseV1.BrowseServiceClient;

beforeAll(async () => {
  servers = await testServers();
  records = await startRecords(servers);
  client = createGrpcClient(BrowseServiceClient, records.address);
  const { rejected } = await records.importLines(...lines);
  expect(rejected).toEqual([]);
});
afterAll(async () => {
  client.close();
  await records.stop();
  await servers.stop();
});

const { ROLE_ADMIN, ROLE_DEPARTMENT_LEADER } = commonV1.Role;
const admin = { institutionId: institution.id, accountId: ADMIN, visibility: { role: ROLE_ADMIN, departmentIds: [], projects: undefined } };
const leader = {
  institutionId: institution.id,
  accountId: LEADER,
  visibility: { role: ROLE_DEPARTMENT_LEADER, departmentIds: [OFFICE], projects: { projectIds: [id(42)] } },
};
const stranger = { ...admin, institutionId: foreign.id, accountId: id(92) };

interface Listed {
  readonly count: number;
  readonly records: readonly browseV1.BrowsedRecord[];
}

const WHOLE = { limit: 1000, offset: 0 };

async function list(group: Group, parameters: Record<string, string> = {}, caller: commonV1.Caller = admin, page = WHOLE): Promise<Listed> {
  let count = -1;
  const found: browseV1.BrowsedRecord[] = [];
  const request = { caller, group: groups[group], parameters, ...page };
  for await (const message of readStream(client, client.listRecords, request)) {
    count = message.count;
    found.push(...message.records);
  }
  return { count, records: found };
}

/** Returns the id of a record of any group. */
function idOf({ record }: browseV1.BrowsedRecord): string | undefined {
  if (record === undefined) return undefined;
  const { value } = record;
  if ('id' in value) return value.id;
  const parts = ['employee', 'contract', 'workday', 'workmonth', 'timespan', 'absence', 'application', 'account'] as const;
  const wrapped: { readonly [P in (typeof parts)[number]]?: { readonly id: string } | undefined } = value;
  return wrapped[record.$case === 'manager' ? 'account' : (parts.find((part) => part === record.$case) ?? 'account')]?.id;
}

const ids = async (...request: Parameters<typeof list>) => (await list(...request)).records.map(idOf);
const get = async (group: Group, recordId: string, caller: commonV1.Caller = admin) =>
  (await callUnary(client, client.getRecord, { caller, group: groups[group], id: recordId })).record;

describe('a list', () => {
  it.each<[Group, Record<string, string>, string[]]>([
    ['employees', {}, [ABEL, BLAU]],
    ['employees', { archived: 'all' }, [ABEL, BLAU, CRON]],
    ['employees', { archived: 'true' }, [CRON]],
    ['employees', { archived: '1' }, [CRON]],
    ['employees', { archived: 'False' }, [ABEL, BLAU]],
    ['projects', { archived: 'ALL' }, [id(42), id(41), id(43)]],
    ['employees', { ids: `${CRON}|${BLAU.toUpperCase()}|x` }, [BLAU, CRON]],
    ['employees', { ids: `${CRON}|${BLAU}`, archived: 'false' }, [BLAU]],
    ['employees', { ids: `${BLAU}|${CRON}|${ABEL}|${BLAU}`, order: 'number' }, [CRON, BLAU, ABEL]],
    ['employees', { ids: `${ABEL}|${BLAU}`, employee_ids: `${BLAU}|${CRON}` }, [BLAU]],
    ['employees', { ids: `${ABEL}|${BLAU}`, q: 'abel' }, [ABEL]],
    ['employees', { ids: `${ABEL}|${FOREIGN}` }, [ABEL]],
    ['employees', { ids: 'x' }, []],
    ['employees', { ids: '|' }, []],
    ['employees', { employee_ids: '|' }, []],
    ['employees', { employee_ids: BLAU }, [BLAU]],
    ['employees', { archived: 'all', order: 'number' }, [CRON, BLAU, ABEL]],
    ['employees', { archived: 'all', order: '-hired_on' }, [ABEL, CRON, BLAU]],
    ['employees', { q: 'ÄNNE abel' }, [ABEL]],
    ['employees', { q: 'B.de' }, [ABEL]],
    ['employees', { daterange: 'no' }, [ABEL, BLAU]],
    ['groups', {}, [YARD, OFFICE]],
    ['groups', { order: '-name' }, [OFFICE, YARD]],
    ['groups', { q: '77', archived: 'no' }, [YARD]],
    ['projects', {}, [id(42), id(41)]],
    ['projects', { archived: 'all', order: 'code' }, [id(43), id(41), id(42)]],
    ['projects', { q: 'ann' }, []],
    ['contracts', {}, [id(51), id(53), id(52)]],
    ['contracts', { order: '-valid_from' }, [id(53), id(52), id(51)]],
    ['contracts', { daterange: '2025-12-31|2025-12-31' }, [id(51)]],
    ['contracts', { daterange: '2026-01-01|' }, [id(53), id(52)]],
    ['contracts', { employee_ids: BLAU, daterange: '|2026-01-01' }, [id(51), id(52)]],
    ['contracts', { employee_ids: FOREIGN }, []],
    ['absences', {}, [id(73), id(72), id(71)]],
    ['absences', { order: '-starts_on' }, [id(72), id(71), id(73)]],
    ['absences', { daterange: '2026-02-28|' }, [id(71)]],
    ['absences', { daterange: '|2026-01-05' }, [id(73)]],
    ['absences', { employee_ids: `${ABEL}|${FOREIGN}`, ids: `${id(71)}|${id(72)}` }, [id(72)]],
    ['applications', {}, [id(81), id(82)]],
    ['applications', { order: 'created_at' }, [id(82), id(81)]],
    ['workmonths', { daterange: '|2025-12-31' }, [id(61)]],
    ['workmonths', { ids: id(61) }, [id(61)]],
    ['institutions', {}, [institution.id]],
    ['managers', {}, [ADMIN, LEADER]],
    ['managers', { q: 'ober ada', order: 'email' }, [ADMIN]],
    ['workdays', { ids: `${id(0x1101)}|${id(0x1001)}|${id(97)}` }, [id(0x1001), id(0x1101)]],
    ['timespans', { ids: `${id(0x1_1101)}|${id(0x2_1001)}|${id(98)}`, order: '-date' }, [id(0x2_1001), id(0x1_1101)]],
    ['workdays', { daterange: '2026-02-28|2026-03-01', employee_ids: BLAU }, [id(0x111d), id(0x111e)]],
  ])('of %s with %j answers %j', async (group, parameters, expected) => {
    expect(await ids(group, parameters)).toEqual(expected);
    expect((await list(group, parameters, admin, { limit: 1, offset: 0 })).count).toBe(expected.length);
  });

  it('of workmonths is sorted by month, then by employee', async () => {
    const months = (await list('workmonths', { order: '-month' })).records.map(({ record }) =>
      record?.$case === 'workmonth' ? `${String(record.value.workmonth?.month)} ${record.value.employeeId}` : '',
    );
    const [march, february, january] = ['3', '2', '1'].map((month) => [ABEL, BLAU, CRON].map((employee) => `${month} ${employee}`));
    expect(months).toEqual([...(march ?? []), ...(february ?? []), ...(january ?? []), `12 ${BLAU}`]);
  });

  const byDate = (turned: boolean) => (turned ? [...DATES].reverse() : DATES).flatMap((date) => [0, 1, 2].map((e) => ({ date, e })));
  const numberOf = ({ date, e }: { date: string; e: number }) => 0x1000 + e * 0x100 + DATES.indexOf(date);

  it.each([
    ['date', false],
    ['-date', true],
  ])('of workdays and timespans is by %s over all employees', async (order, turned) => {
    expect(await ids('workdays', { order })).toEqual(byDate(turned).map((day) => id(numberOf(day))));
    const expected = byDate(turned).flatMap((day) => [1, 2].map((n) => id(numberOf(day) + n * 0x10_000)));
    expect(await ids('timespans', { order })).toEqual(expected);
  });

  it.each<[Group, Record<string, string>, number]>([
    ['workdays', {}, 7],
    ['workdays', { order: '-date' }, 31],
    ['workdays', { daterange: '2026-01-31|2026-03-02' }, 10],
    ['workdays', { daterange: '2026-02-03|2026-02-20', employee_ids: `${ABEL}|${CRON}` }, 5],
    ['timespans', { order: '-date' }, 13],
    ['timespans', { daterange: '2026-02-28|' }, 2],
    ['workmonths', {}, 3],
    ['absences', { order: '-starts_on' }, 1],
    ['employees', { archived: 'all' }, 2],
  ])('of %s with %j says page by page what it says at once', async (group, parameters, size) => {
    const all = await list(group, parameters);
    const pages: browseV1.BrowsedRecord[] = [];
    for (let offset = 0; offset < all.count; offset += size) {
      const page = await list(group, parameters, admin, { limit: size, offset });
      expect(page.count).toBe(all.count);
      pages.push(...page.records);
    }
    expect(pages).toEqual(all.records);
    expect(all.records).toHaveLength(all.count);
    expect(await list(group, parameters, admin, { limit: size, offset: 9_007_199_254_740_991 })).toEqual({ count: all.count, records: [] });
  });

  it.each<[Group, Record<string, string>, object]>([
    ['employees', { order: 'email' }, { $query: ['"email" is not a valid ordering field.'] }],
    ['workdays', { order: 'date|x' }, { $query: ['"x" is not a valid ordering field.'] }],
    ['employees', { archived: 'yes' }, { archived: ['"yes" is not a valid choice.'] }],
    ['absences', { modified_since: 'yesterday' }, { modified_since: [expect.stringContaining('YYYY-MM-DDTHH:MM:SS.')] }],
    ['workdays', { modified_since: '2026-03-29T02:30:00' }, { modified_since: [expect.stringContaining('does not exist')] }],
    ['contracts', { daterange: '2026-01-02|2026-01-01' }, { daterange: ['The end of the range must not be before its start.'] }],
  ])('of %s with %j is refused', async (group, parameters, details) => {
    await expect(list(group, parameters)).rejects.toMatchObject({ code: 'invalid', details });
  });
});

describe('a page', () => {
  const large = { institution_id: id(4) };
  const owner = { ...admin, institutionId: id(4), accountId: id(0x400) };
  const TOO_LARGE = { code: 'invalid', details: { limit: ['The page has more than 16777216 bytes; ask for fewer entries.'] } };
  /** A comment of 30,000 bytes. */
  const comment = '€'.repeat(10_000);
  const manyIds = Array.from({ length: 10_000 }, () => id(0x401));

  beforeAll(async () => {
    const worker = buildEmployee({ ...large, id: id(0x402) });
    const workdays = Array.from({ length: 300 }, (_, n) => {
      const date = formatLocalDate(20_000 + n);
      const times = { started_at: `${date}T08:00:00`, ended_at: `${date}T12:00:00` };
      const timespans = [0, 1].map((more) => buildTimespan({ ...times, id: id(0x41_0000 + 2 * n + more), comment }));
      return buildWorkday({ ...large, ...times, id: id(0x40_0000 + n), employee_id: worker.id, date, timespans });
    });
    const accounts = Array.from({ length: 40 }, (_, n) => buildAccount({ ...large, id: id(0x420 + n), project_ids: manyIds }));
    const project = buildProject({ ...large, id: id(0x401) });
    const rest = [...accounts, ...workdays];
    await records.importLines(buildInstitution({ id: id(4) }), worker, project);
    // As much as fits into a message of an import.
    while (rest.length > 0) expect((await records.importLines(...rest.splice(0, 15))).rejected).toEqual([]);
  });

  it.each<Group>(['employees', 'contracts', 'workdays', 'managers'])('of %s has its bounds', async (group) => {
    expect(await judgeOutOfBounds((page) => list(group, {}, admin, page))).toEqual(OUT_OF_BOUNDS);
  });

  it.each<[Group, number]>([
    ['workdays', 270],
    ['timespans', 500],
    ['managers', 30],
  ])('of %s fits into memory', async (group, limit) => {
    await expect(list(group, {}, owner)).rejects.toMatchObject(TOO_LARGE);
    expect((await list(group, {}, owner, { limit, offset: 0 })).records).toHaveLength(limit);
  });
});

const firm = buildInstitution({ id: id(3) });
const of = { institution_id: firm.id };
const [MEIER, FIRST, SECOND, THIRD] = [id(0x301), id(0x302), id(0x303), id(0x304)];
const shift = (workdayId: string, date: string) => ({ started_at: `${date}T08:00:00`, ended_at: `${date}T12:00:00`, id: workdayId, date });
const shiftOf = (workdayId: string, date: string) => {
  const times = shift(workdayId, date);
  const timespans = [buildTimespan({ ...times, id: workdayId.replace('00000000', '00000001') })];
  return buildWorkday({ ...of, ...times, employee_id: MEIER, timespans });
};
const firmLines = {
  institutions: firm,
  groups: buildDepartment({ ...of, id: id(0x311) }),
  managers: buildAccount({ ...of, id: id(0x312) }),
  employees: buildEmployee({ ...of, id: MEIER }),
  projects: buildProject({ ...of, id: id(0x313), archived: false }),
  contracts: buildContract({ ...of, id: id(0x314), employee_id: MEIER }),
  absences: buildAbsence({ ...of, id: id(0x315), employee_id: MEIER }),
  applications: buildAbsenceApplication({ ...of, id: id(0x316), employee_id: MEIER }),
  workmonths: buildWorkmonth({ ...of, id: id(0x317), employee_id: MEIER, year: 2026, month: 3, opening_balance_minutes: 5 }),
};
const shifts = [shiftOf(FIRST, '2026-03-02'), shiftOf(SECOND, '2026-03-03'), shiftOf(THIRD, '2026-04-01')] as const;

describe('the times of records', () => {
  const owner = { ...admin, institutionId: firm.id, accountId: id(0x312) };
  const SINCE = { modified_since: '2021-01-01T00:00:00' };
  const [CREATED, MODIFIED] = ['2019-01-01T00:00:00Z', '2020-01-01T00:00:00Z'].map((text) => new Date(text));
  const [createdAt = 0, modifiedAt = 0] = [CREATED, MODIFIED].map((time) => (time?.getTime() ?? 0) / 1000);
  const changed = { createdAt, modifiedAt: expect.any(Number) };
  const timesOf = ({ createdAt: created, modifiedAt: modified }: browseV1.BrowsedRecord) => ({ createdAt: created, modifiedAt: modified });
  const times = async (group: Group, recordId: string) => timesOf((await get(group, recordId, owner)) ?? { record: undefined });
  const since = async (group: Group) => (await list(group, SINCE, owner)).records.map(idOf);

  /** Sets the stored times of all records; an empty stamp removes them, as in records of older versions. */
  async function backdate(stamp: object): Promise<void> {
    const names = ['institutions', 'departments', 'accounts', 'employees', 'projects', 'contracts', 'absences', 'absence_applications'];
    const unset = { recorded_at: 1, modified_at: 1, touched_at: 1 };
    const update = Object.keys(stamp).length === 0 ? { $unset: unset } : { $set: stamp };
    for (const name of names) await records.database.collection(name).updateMany(of, update);
    const months = records.database.collection('workmonths');
    for (const { _id, workdays } of await months.find(of).toArray()) {
      const days = (workdays as object[]).map(
        ({ recorded_at: _r, modified_at: _m, ...day }: { recorded_at?: Date; modified_at?: Date }) => ({
          ...day,
          ...stamp,
        }),
      );
      await months.updateOne({ _id }, { $set: { workdays: days } });
      await months.updateOne({ _id }, '$set' in update ? { $set: { ...stamp, touched_at: MODIFIED } } : update);
    }
  }

  beforeAll(async () => {
    const { rejected } = await records.importLines(...Object.values(firmLines), ...shifts);
    expect(rejected).toEqual([]);
    await backdate({ recorded_at: CREATED, modified_at: MODIFIED });
  });

  it('stay the same when nothing changes', async () => {
    await records.importLines(...Object.values(firmLines), ...shifts);
    for (const [group, { id: recordId }] of Object.entries(firmLines)) {
      expect(await since(group as Group)).toEqual([]);
      expect(await times(group as Group, recordId)).toEqual({ createdAt, modifiedAt });
    }
    for (const { id: workdayId } of shifts) expect(await times('workdays', workdayId)).toEqual({ createdAt, modifiedAt });
    expect(await since('workdays')).toEqual([]);
    expect((await list('workdays', { modified_since: '2020-01-01T01:00:00' }, owner)).count).toBe(3);
    expect((await list('workdays', { modified_since: '2020-01-01T01:00:01' }, owner)).count).toBe(0);
  });

  it('are separate for each workday, and timespans have those of their workday', async () => {
    const [march, , april] = shifts;
    await records.importLines({ ...march, ended_at: '2026-03-02T13:00:00' }, shiftOf(id(0x305), '2026-03-04'));
    expect(await since('workdays')).toEqual([march.id, id(0x305)]);
    expect(await since('timespans')).toHaveLength(2);
    expect((await list('workdays', { ...SINCE, daterange: '2026-03-03|2026-03-31' }, owner)).records.map(idOf)).toEqual([id(0x305)]);
    expect(await times('workdays', march.id)).toEqual(changed);
    expect(await times('workdays', april.id)).toEqual({ createdAt, modifiedAt });
    // The record of the month itself is unchanged.
    expect(await since('workmonths')).toEqual([]);
    await records.importLines({ ...april, date: '2026-05-01', started_at: '2026-05-01T08:00:00', ended_at: '2026-05-01T12:00:00' });
    expect(await times('workdays', april.id)).toEqual(changed);
    expect(await since('workdays')).toEqual([march.id, id(0x305), april.id]);
    for (const [offset, expected] of [march.id, id(0x305), april.id].entries()) {
      const page = await list('workdays', SINCE, owner, { limit: 1, offset });
      expect([page.count, page.records.map(idOf)]).toEqual([3, [expected]]);
    }
  });

  it('show when it was changed, and keep when it was created', async () => {
    const { institutions, groups: department, managers, employees, projects, contracts, absences, applications, workmonths } = firmLines;
    await records.importLines(
      { ...institutions, name: `${firm.name} KG` },
      { ...department, name: 'Neu' },
      { ...managers, last_name: 'Neu' },
      { ...employees, last_name: 'Neu' },
      { ...projects, name: 'Neu' },
      { ...contracts, overtime_max_hours: 7 },
      { ...absences, hours_per_day: 7 },
      { ...applications, status: 'declined' },
      { ...workmonths, opening_balance_minutes: 6 },
    );
    for (const [group, { id: recordId }] of Object.entries(firmLines)) {
      // A month is created with its first workday, and one was.
      expect(await since(group as Group)).toContain(recordId);
      expect(await times(group as Group, recordId)).toEqual(changed);
    }
  });

  it('are unknown for records of older versions until they change', async () => {
    await backdate({});
    const [, tuesday] = shifts;
    expect(await times('absences', firmLines.absences.id)).toEqual({ createdAt: undefined, modifiedAt: undefined });
    expect(await times('workdays', tuesday.id)).toEqual({ createdAt: undefined, modifiedAt: undefined });
    expect([await since('absences'), await since('workdays')]).toEqual([[], []]);
    await records.importLines({ ...firmLines.absences, hours_per_day: 5 }, { ...tuesday, ended_at: '2026-03-03T13:00:00' });
    const unknown = { createdAt: undefined, modifiedAt: expect.any(Number) };
    expect(await times('absences', firmLines.absences.id)).toEqual(unknown);
    expect(await times('workdays', tuesday.id)).toEqual(unknown);
    expect([await since('absences'), await since('workdays')]).toEqual([[firmLines.absences.id], [tuesday.id]]);
  });
});

describe('months without stored counts', () => {
  it('are read to count their entries', async () => {
    const before = await list('timespans');
    const months = records.database.collection('workmonths');
    await months.updateMany({ employee_id: BLAU }, { $unset: { workday_count: 1, timespan_count: 1 } });
    expect(await list('timespans')).toEqual(before);
    // Adding to such a month does not start a count that would lack its earlier entries.
    const late = buildWorkday({ ...ours, id: id(0x1fff), employee_id: BLAU, date: '2026-02-10', timespans: [] });
    await records.importLines(late);
    expect((await list('workdays')).count).toBe(tracked.length + 1);
    await records.importLines(buildDeletion(late));
    expect((await list('workdays')).count).toBe(tracked.length);
    expect(await list('timespans')).toEqual(before);
  });
});

describe('timespans of a workday with the same id', () => {
  it('are listed with their own times', async () => {
    const own = buildInstitution();
    const ofOwn = { institution_id: own.id };
    const worker = buildEmployee(ofOwn);
    const spans = ['08:00', '09:00'].map((time) => buildTimespan({ started_at: `2026-03-02T${time}:00`, ended_at: '2026-03-02T10:00:00' }));
    const [first] = spans;
    const timespans = spans.map((span) => ({ ...span, id: first?.id ?? '' }));
    await records.importLines(own, worker, buildWorkday({ ...ofOwn, employee_id: worker.id, timespans }));
    const { count, records: found } = await list('timespans', {}, { ...admin, institutionId: own.id });
    expect(count).toBe(2);
    const starts = found.map(({ record }) => (record?.$case === 'timespan' ? record.value.timespan?.startedAt : undefined));
    expect(starts.map((start = 0) => new Date(start * 1000).toISOString())).toEqual([
      '2026-03-02T07:00:00.000Z',
      '2026-03-02T08:00:00.000Z',
    ]);
  });
});

const samples: readonly [Group, string][] = [
  ['employees', ABEL],
  ['groups', OFFICE],
  ['projects', id(42)],
  ['contracts', id(53)],
  ['workdays', id(0x1001)],
  ['timespans', id(0x1_1001)],
  ['absences', id(72)],
  ['applications', id(81)],
  ['institutions', institution.id],
  ['managers', LEADER],
];

describe('what belongs to another institution', () => {
  it.each<[Group, string]>([...samples, ['workmonths', id(61)]])('does not exist: %s', async (group, recordId) => {
    expect(await ids(group, { archived: 'all' }, stranger)).not.toContain(recordId);
    expect(await ids(group, { ids: recordId }, stranger)).toEqual([]);
    await expect(get(group, recordId, stranger)).rejects.toMatchObject({ code: 'not_found' });
    expect((await list(group, { archived: 'all' }, stranger)).count).toBe(1);
  });
});

describe('a department leader', () => {
  it.each(samples)('finds the records of the department: %s', async (group, recordId) => {
    expect(idOf((await get(group, recordId, leader)) ?? { record: undefined })).toBe(recordId);
    expect(await ids(group, {}, leader)).toContain(recordId);
  });

  it.each<[Group, string, number]>([
    ['employees', BLAU, 1],
    ['groups', YARD, 1],
    ['projects', id(41), 1],
    ['contracts', id(52), 1],
    ['workdays', id(0x1101), DATES.length],
    ['timespans', id(0x1_1101), DATES.length * 2],
    ['workmonths', id(61), 3],
    ['absences', id(71), 2],
    ['applications', id(82), 1],
    ['managers', ADMIN, 1],
  ])('does not find others: %s', async (group, recordId, count) => {
    await expect(get(group, recordId, leader)).rejects.toMatchObject({ code: 'not_found' });
    expect(await ids(group, { ids: recordId }, leader)).toEqual([]);
    expect(await list(group, { employee_ids: group === 'employees' ? '' : `${ABEL}|${BLAU}` }, leader)).toMatchObject({ count });
  });
});

describe('one record', () => {
  it('is found when it is archived', async () => {
    expect(await get('employees', CRON)).toMatchObject({
      record: { $case: 'employee', value: { employee: { number: '1' }, entitlements: [] } },
    });
    expect(await get('projects', id(43).toUpperCase())).toMatchObject({ record: { value: { name: 'Zeche' } } });
  });

  it('has all its fields', async () => {
    expect(await get('timespans', id(0x2_1001))).toEqual({
      createdAt: expect.any(Number),
      modifiedAt: expect.any(Number),
      record: {
        $case: 'timespan',
        value: {
          employeeId: ABEL,
          workdayId: id(0x1001),
          date: 20_484,
          timespan: {
            id: id(0x2_1001),
            type: 1,
            startedAt: Date.parse('2026-01-31T08:00:00Z') / 1000,
            endedAt: Date.parse('2026-01-31T11:00:00Z') / 1000,
            projectId: undefined,
            comment: undefined,
          },
        },
      },
    });
    const workday = await get('workdays', id(0x1001));
    expect(workday).toMatchObject({ record: { value: { employeeId: ABEL, workday: { date: 20_484, edits: [] } } } });
    expect(await get('managers', ADMIN)).toMatchObject({ record: { value: { email: 'ada@example.com' } } });
    expect(await get('workmonths', id(61))).toMatchObject({ record: { value: { workmonth: { openingBalanceMinutes: 90, month: 12 } } } });
  });

  it('is gone after its deletion', async () => {
    const gone = buildWorkday({
      ...ours,
      id: id(0x1ffe),
      employee_id: ABEL,
      date: '2026-02-10',
      timespans: [buildTimespan({ ...span, id: id(0x1ffd) })],
    });
    await records.importLines(gone);
    expect(await get('timespans', id(0x1ffd))).toBeDefined();
    await records.importLines(buildDeletion(gone));
    await expect(get('timespans', id(0x1ffd))).rejects.toMatchObject({ code: 'not_found' });
  });
});
