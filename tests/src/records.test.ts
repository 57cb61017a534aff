import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildAbsenceApplication, buildTimespan, buildWorkmonth } from '@stechuhr/testing';
import { call, query } from './support/http.js';
import { Organization } from './support/organization.js';
import type { UsedPlatform } from './support/platform.js';
import { sharedPlatform } from './support/shared-platform.js';

const org = new Organization(31);
const other = new Organization(32);
const [ADMIN, LEADER] = [1, 2];
const [OFFICE, YARD] = [11, 12];
const [ABEL, BLAU] = [21, 22];
const NOT_FOUND = { status: 404, json: { detail: 'Not found.' } };

const entitlement = {
  id: org.id(29),
  label: 'Urlaub',
  missing_type: 'vacation',
  amount: '27.5',
  priority: 1,
  cycle_start: '01-01',
  valid_from: '2024-01-01',
  expiry: { month_day: '03-31', year_offset: 1 },
  proration: 'burlg',
};

/** Returns one or two records of each group for an institution, in the format of the data contract. */
const organizationOf = (o: Organization) => [
  o.institution(),
  o.account(ADMIN, 'admin'),
  { ...o.account(LEADER, 'department_leader', [OFFICE]), last_name: 'Zett', project_ids: [o.id(41)] },
  o.department(OFFICE, 'Büro'),
  o.department(YARD, 'Werkhof'),
  o.employee(ABEL, 'Anna', 'Abel', { department_id: o.id(OFFICE), custom_fields: { position: 'Polierin' }, email: 'anna@example.com' }),
  { ...o.employee(BLAU, 'Bernd', 'Blau', { department_id: o.id(YARD) }), ...(o === org && { entitlements: [entitlement] }) },
  o.project(41, 'H-1'),
  { ...o.project(42, 'Z-1'), name: 'Zeche' },
  o.contract(51, ABEL),
  { ...o.contract(52, BLAU), valid_from: '2026-01-01', overtime_max_hours: 12.5 },
  {
    ...o.shift(61, ABEL, { date: '2026-10-25', start: '01:30', end: '09:00', comment: 'Frühschicht' }),
    edits: [{ at: '2026-10-25T10:00:00', by: 'employee' }],
  },
  { ...o.shift(62, BLAU, { date: '2026-10-26', start: '08:00', end: '09:00' }), ended_at: null, timespans: [] },
  buildWorkmonth({ institution_id: o.id(0), id: o.id(63), employee_id: o.id(BLAU), year: 2026, month: 10, opening_balance_minutes: -90 }),
  o.absence(71, ABEL, { starts_on: '2026-11-02', ends_on: '2026-11-06', day_part: 0.5 }),
  o.absence(72, BLAU, { starts_on: '2026-11-09', ends_on: '2026-11-09', hours_per_day: 6 }),
  ...[ABEL, BLAU].map((n) =>
    buildAbsenceApplication({ institution_id: o.id(0), id: o.id(60 + n), employee_id: o.id(n), created_at: '2026-10-25T02:30:00' }),
  ),
];

interface Group {
  readonly path: string;
  /** Records that the leader sees, and records that only others see, in the order of the list. */
  readonly seen: readonly number[];
  readonly hidden: readonly number[];
  /** The last record as returned by the API. */
  readonly last: object;
}

const SPAN = 0x1_000_000;
const groups: readonly Group[] = [
  {
    path: 'employees/employees',
    seen: [ABEL],
    hidden: [BLAU],
    last: {
      id: org.id(BLAU),
      account_id: null,
      number: '22',
      accounting_number: null,
      first_name: 'Bernd',
      last_name: 'Blau',
      email: null,
      department_id: org.id(YARD),
      custom_fields: {},
      hired_on: '2020-01-01',
      left_on: null,
      archived_on: null,
      entitlements: [{ ...entitlement, amount: '27.50', valid_to: null }],
    },
  },
  { path: 'employees/groups', seen: [OFFICE], hidden: [YARD], last: { id: org.id(YARD), name: 'Werkhof', cost_center: '4711' } },
  {
    path: 'projects/projects',
    seen: [41],
    hidden: [42],
    last: {
      id: org.id(42),
      name: 'Zeche',
      code: 'Z-1',
      color: '#336699',
      address: 'Musterstraße 1, 80331 München',
      cost_center: '4711',
      client: 'Bauherr AG',
      daily_reports_enabled: true,
      archived: false,
    },
  },
  {
    path: 'contracts/contracts',
    seen: [51],
    hidden: [52],
    last: {
      id: org.id(52),
      employee_id: org.id(BLAU),
      valid_from: '2026-01-01',
      valid_to: null,
      planned_minutes: [480, 480, 480, 480, 480, 0, 0],
      overtime_min_hours: null,
      overtime_max_hours: 12.5,
    },
  },
  {
    path: 'timestamps/workdays',
    seen: [61],
    hidden: [62],
    last: {
      id: org.id(62),
      employee_id: org.id(BLAU),
      date: '2026-10-26',
      started_at: '2026-10-26T08:00:00',
      ended_at: null,
      timespans: [],
      edits: [],
    },
  },
  {
    path: 'timestamps/timespans',
    seen: [61 + SPAN],
    hidden: [],
    last: {
      id: org.id(61 + SPAN),
      employee_id: org.id(ABEL),
      workday_id: org.id(61),
      date: '2026-10-25',
      type: 'work',
      started_at: '2026-10-25T01:30:00',
      ended_at: '2026-10-25T09:00:00',
      project_id: null,
      comment: 'Frühschicht',
    },
  },
  {
    path: 'timestamps/absence',
    seen: [71],
    hidden: [72],
    last: {
      id: org.id(72),
      employee_id: org.id(BLAU),
      missing_type: 'vacation',
      starts_on: '2026-11-09',
      ends_on: '2026-11-09',
      day_part: 1,
      hours_per_day: 6,
    },
  },
  {
    path: 'timestamps/absence-applications',
    seen: [81],
    hidden: [82],
    last: {
      id: org.id(82),
      employee_id: org.id(BLAU),
      missing_type: 'vacation',
      starts_on: '2026-03-09',
      ends_on: '2026-03-13',
      status: 'pending',
      created_at: '2026-10-25T02:30:00',
    },
  },
  {
    path: 'accounts/managers',
    seen: [LEADER],
    hidden: [ADMIN],
    last: {
      id: org.id(LEADER),
      first_name: 'Ada',
      last_name: 'Zett',
      email: expect.stringContaining('@example.com'),
      role: 'department_leader',
      department_ids: [org.id(OFFICE)],
      project_ids: [org.id(41)],
    },
  },
];

interface PageJson {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly { readonly id: string }[];
}

let platform: UsedPlatform;
let admin: string;
let leader: string;
let foreigner: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  const { rejected } = await platform.importLines([...organizationOf(org), ...organizationOf(other)]);
  expect(rejected).toEqual([]);
  admin = await platform.issueToken(org.id(ADMIN));
  leader = await platform.issueToken(org.id(LEADER));
  foreigner = await platform.issueToken(other.id(ADMIN));
});
const ask = (path: string, parameters: Record<string, string> = {}, token = admin) =>
  call(`${platform.baseUrl}/${path}/?${query(parameters)}`, { token });
const page = async (...request: Parameters<typeof ask>) => (await ask(...request)).json as PageJson;
const idsOf = ({ results }: PageJson) => results.map(({ id }) => id);
const all = ({ seen, hidden }: Group) => (hidden[0] === ADMIN ? [...hidden, ...seen] : [...seen, ...hidden]).map((n) => org.id(n));

const TIME: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);

/** Adds the times of recording as in a response, unless the record contains a creation time. */
const withTimes = (record: object) =>
  'created_at' in record ? { ...record, modified_at: TIME } : { ...record, created_at: TIME, modified_at: TIME };

describe.each(groups)('$path', (group) => {
  const { path, seen, hidden, last } = group;

  it('returns records as they were imported, in lists and by id', async () => {
    const listed = await page(path);
    expect(idsOf(listed)).toEqual(all(group));
    expect(listed).toMatchObject({ count: all(group).length, next: null, previous: null });
    const whole = withTimes(last);
    expect(listed.results.at(-1)).toEqual(whole);
    expect(Object.keys(listed.results.at(-1) ?? {})).toEqual(Object.keys(whole));
    const { id } = last as { id: string };
    expect(await ask(`${path}/${id.toUpperCase()}`)).toMatchObject({ status: 200, json: whole });
  });

  it('shows a department leader only records of the department', async () => {
    expect(idsOf(await page(path, {}, leader))).toEqual(seen.map((n) => org.id(n)));
    for (const n of seen) expect((await ask(`${path}/${org.id(n)}`, {}, leader)).status).toBe(200);
    for (const n of hidden) expect(await ask(`${path}/${org.id(n)}`, {}, leader)).toMatchObject(NOT_FOUND);
    const ids = all(group).join('|');
    expect(await page(path, { ids }, leader)).toMatchObject({ count: seen.length });
  });

  it('keeps institutions apart', async () => {
    const ids = all(group).join('|');
    expect(await page(path, { ids }, foreigner)).toMatchObject({ count: 0, results: [] });
    for (const id of all(group)) expect(await ask(`${path}/${id}`, {}, foreigner)).toMatchObject(NOT_FOUND);
  });

  it('returns pages that together form the whole list', async () => {
    const found: string[] = [];
    let next: string | null = `${platform.baseUrl}/${path}/?limit=1&q=&unknown=x`;
    while (next !== null) {
      const answer: PageJson = (await call(next, { token: admin })).json as PageJson;
      found.push(...idsOf(answer));
      expect(answer.previous === null).toBe(found.length === 1);
      next = answer.next;
    }
    expect(found).toEqual(all(group));
  });

  it('rejects invalid orderings, wrong methods and missing tokens', async () => {
    const refused = { status: 400, json: { $query: ['"-nothing" is not a valid ordering field.'] } };
    expect(await ask(path, { order: '-nothing' })).toMatchObject(refused);
    const address = `${platform.baseUrl}/${path}/`;
    expect(await call(address, { token: admin, method: 'POST' })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
    expect(await call(address)).toMatchObject({ status: 401 });
    expect(await ask(`${path}/nothing`)).toMatchObject(NOT_FOUND);
    expect(await call(address, { token: admin, method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  });
});

describe('the other lists', () => {
  it('return the institution of the caller', async () => {
    const { results } = await page('accounts/institutions', {}, leader);
    expect(results).toEqual([
      withTimes({
        id: org.id(0),
        name: 'Muster GmbH',
        federal_state: 'DE-BY',
        payroll_client_number: '12345',
        absence_types: expect.arrayContaining([{ value: 'vacation', label: 'Urlaub', category: 'vacation', credited: true }]),
      }),
    ]);
    expect((await ask(`accounts/institutions/${org.id(0)}`, {}, foreigner)).status).toBe(404);
    expect((await ask(`accounts/institutions/${org.id(0)}`, {}, leader)).status).toBe(200);
  });

  it('return months with and without their own record', async () => {
    const { results } = await page('timestamps/workmonths', { daterange: '2026-10-31|' });
    expect(results).toEqual([
      withTimes({ id: expect.any(String), employee_id: org.id(ABEL), year: 2026, month: 10, opening_balance_minutes: null }),
      withTimes({ id: org.id(63), employee_id: org.id(BLAU), year: 2026, month: 10, opening_balance_minutes: -90 }),
    ]);
    const [derived = { id: '' }] = results;
    expect(await ask(`timestamps/workmonths/${derived.id}`, {}, leader)).toMatchObject({ status: 200, json: derived });
    expect(await ask(`timestamps/workmonths/${org.id(63)}`, {}, leader)).toMatchObject(NOT_FOUND);
    expect(await page('timestamps/workmonths', { ids: derived.id }, foreigner)).toMatchObject({ count: 0 });
  });

  it('are linked from the root of the API', async () => {
    const { json } = await call(`${platform.baseUrl}/`, { token: leader });
    const paths = [...groups.map(({ path }) => path), 'accounts/institutions', 'timestamps/workmonths'];
    expect(json).toMatchObject(Object.fromEntries(paths.map((path) => [path, `${platform.baseUrl}/${path}/`])));
  });
});

describe('a list', () => {
  it('accepts the common parameters', async () => {
    expect(idsOf(await page('timestamps/workdays', { employee_ids: org.id(BLAU) }))).toEqual([org.id(62)]);
    expect(idsOf(await page('timestamps/workdays', { daterange: '2026-10-26|2026-10-26' }))).toEqual([org.id(62)]);
    expect(idsOf(await page('timestamps/workdays', { order: '-date' }))).toEqual([org.id(62), org.id(61)]);
    expect(idsOf(await page('employees/employees', { q: 'bernd BL' }))).toEqual([org.id(BLAU)]);
    expect(await page('employees/employees', { archived: 'true' })).toMatchObject({ count: 0 });
    expect(await ask('employees/employees', { archived: 'maybe' })).toMatchObject({
      status: 400,
      json: { archived: ['"maybe" is not a valid choice.'] },
    });
    expect((await ask('timestamps/absence', { daterange: '2026-10-26' })).status).toBe(400);
    expect(await page('timestamps/absence', { modified_since: '2026-01-01T00:00:00' })).toMatchObject({ count: 2 });
    expect(await page('timestamps/absence', { modified_since: '2199-01-01T00:00' })).toMatchObject({ count: 0 });
    expect(await ask('timestamps/absence', { modified_since: '2026-01-01T00:00:00Z' })).toMatchObject({
      status: 400,
      json: { modified_since: ['Datetime has wrong format. It is local time (Europe/Berlin) without Z or UTC offset.'] },
    });
  });

  it('can be larger than a gRPC message', async () => {
    const days = Array.from({ length: 102 }, (_, index) => {
      const date = new Date(Date.UTC(2027, 0, 1 + index)).toISOString().slice(0, 10);
      const times = { started_at: `${date}T08:00:00`, ended_at: `${date}T09:00:00` };
      // Workdays of the maximum size.
      const timespans = Array.from({ length: 3 }, (__, n) =>
        buildTimespan({ ...times, id: org.id(0x700_0000 + index * 100 + n), comment: 'ß'.repeat(10_000) }),
      );
      return { ...org.shift(0x7f00 + index, ABEL, { date, start: '08:00', end: '09:00' }), timespans };
    });
    const { rejected } = await platform.importLines(days);
    expect(rejected).toEqual([]);
    const winter = { daterange: '2027-01-01|', limit: '300' };
    expect((await page('timestamps/timespans', winter)).results).toHaveLength(300);
    expect(await page('timestamps/timespans', winter)).toMatchObject({ count: 306, next: expect.stringContaining('offset=300') });
    expect((await page('timestamps/workdays', winter)).results).toHaveLength(102);
  });
});
