import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildDeletion } from '@stechuhr/testing';
import { call, query, type Answer, type Call } from './support/http.js';
import { Organization } from './support/organization.js';
import type { UsedPlatform } from './support/platform.js';
import { sharedPlatform } from './support/shared-platform.js';

const org = new Organization(9);
const other = new Organization(10);
const [ADMIN, LEADER] = [1, 2];
const [OFFICE, YARD] = [11, 12];
const [AUGUST, SEPTEMBER, NOVEMBER, VETERAN, PARTTIME, LEAVER] = [21, 22, 23, 24, 25, 26];
const NOT_FOUND = { status: 404, json: { detail: 'Not found.' } };

let settings = 100;

/** Returns an import line with the annual leave setting. */
function leave(amount: string | number, fields: object = {}): object {
  settings += 1;
  return {
    id: org.id(settings),
    label: 'Urlaub',
    missing_type: 'vacation',
    amount,
    priority: 0,
    cycle_start: '01-01',
    valid_from: '2020-01-01',
    valid_to: null,
    expiry: null,
    proration: 'burlg',
    ...fields,
  };
}

const absenceTypes = [
  { value: 'vacation', label: 'Urlaub', category: 'vacation', credited: true },
  { value: 'special', label: 'Sonderurlaub', category: 'vacation', credited: true },
  { value: 'sick', label: 'Krankheit', category: 'sick', credited: true },
];

const lines = [
  org.institution({ absence_types: absenceTypes }),
  org.account(ADMIN, 'admin'),
  org.account(LEADER, 'department_leader', [OFFICE]),
  org.department(OFFICE, 'Büro'),
  org.department(YARD, 'Bauhof'),
  org.employee(AUGUST, 'Anna', 'August', { hired_on: '2026-08-01', department_id: org.id(OFFICE), entitlements: [leave('30.00')] }),
  org.employee(SEPTEMBER, 'Sven', 'September', { hired_on: '2026-09-15', entitlements: [leave(30)] }),
  org.employee(NOVEMBER, 'Nora', 'November', { hired_on: '2026-11-01', entitlements: [leave(24)] }),
  org.employee(VETERAN, 'Vera', 'Veteran', {
    department_id: org.id(YARD),
    entitlements: [leave(30, { valid_from: '2025-01-01', expiry: { months: 15 }, proration: 'none' })],
  }),
  org.employee(PARTTIME, 'Paul', 'Parttime', {
    entitlements: [
      leave(30, { valid_from: '2026-01-01', valid_to: '2026-05-31', proration: 'twelfths' }),
      leave(20, { valid_from: '2026-06-01', proration: 'twelfths', priority: 1 }),
    ],
  }),
  org.contract(31, VETERAN),
  // The first two days still use the leave of 2025; 3 April is Good Friday.
  org.absence(32, VETERAN, { starts_on: '2026-03-30', ends_on: '2026-04-03' }),
  org.absence(33, VETERAN, { starts_on: '2026-05-04', ends_on: '2026-05-04', day_part: 0.5 }),
  other.institution(),
  other.account(ADMIN, 'admin'),
  other.employee(AUGUST, 'Zoe', 'Zander'),
];

interface RuleJson {
  readonly id: string;
  readonly employee_id: string;
  readonly label: string;
  readonly amount: string;
  readonly available_from: string;
  readonly expires_at: string;
  readonly source: string;
}

interface PageJson {
  readonly count: number;
  readonly next: string | null;
  readonly results: readonly RuleJson[];
}

let platform: UsedPlatform;
let admin: string;
let leader: string;
let foreigner: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  const { rejected } = await platform.importLines(lines);
  expect(rejected).toEqual([]);
  admin = await platform.issueToken(org.id(ADMIN));
  leader = await platform.issueToken(org.id(LEADER));
  foreigner = await platform.issueToken(other.id(ADMIN));
});
const address = (path = '') => `${platform.baseUrl}/timestamps/absence-rules/${path}`;

async function list(parameters: Readonly<Record<string, string>>, token = admin): Promise<PageJson> {
  const { status, json } = await call(`${address()}?${query(parameters)}`, { token });
  expect(status).toBe(200);
  return json as PageJson;
}

function send(method: string, path: string, body: object, token = admin): Promise<Answer> {
  const options: Call = { method, token, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  return call(address(path), options);
}

const bonus = (employee: number, fields: object = {}) => ({
  employee_id: org.id(employee),
  label: 'Umzug',
  missing_type: 'vacation',
  amount: '1.00',
  priority: 5,
  available_from: '2026-02-01',
  expires_at: '2026-12-31',
  ...fields,
});

const shown = ({ results }: PageJson) =>
  results.map(({ employee_id, label, amount, available_from, expires_at, source }) => {
    const n = Number.parseInt(employee_id.slice(-2), 16);
    return [n, label, amount, available_from, expires_at, source];
  });

describe('rules from settings', () => {
  it('grant leave according to the Federal Leave Act in the year of entry', async () => {
    const employees = [AUGUST, SEPTEMBER, NOVEMBER].map((n) => org.id(n)).join('|');
    expect(shown(await list({ employee_ids: employees, daterange: '2026-01-01|2026-12-31' }))).toEqual([
      [AUGUST, 'Urlaub 2026', '13.00', '2026-08-01', '9999-12-31', 'setting'],
      [SEPTEMBER, 'Urlaub 2026', '8.00', '2026-09-15', '9999-12-31', 'setting'],
      [NOVEMBER, 'Urlaub 2026', '4.00', '2026-11-01', '9999-12-31', 'setting'],
    ]);
  });

  it('expire according to the setting, and follow a change of the setting in June', async () => {
    expect(shown(await list({ employee_ids: org.id(VETERAN), daterange: '|2026-06-30' }))).toEqual([
      [VETERAN, 'Urlaub 2025', '30.00', '2025-01-01', '2026-03-31', 'setting'],
      [VETERAN, 'Urlaub 2026', '30.00', '2026-01-01', '2027-03-31', 'setting'],
    ]);
    expect(shown(await list({ employee_ids: org.id(PARTTIME), daterange: '|2026-12-31' }))).toEqual([
      [PARTTIME, 'Urlaub 2026', '12.50', '2026-01-01', '9999-12-31', 'setting'],
      [PARTTIME, 'Urlaub 2026', '11.67', '2026-06-01', '9999-12-31', 'setting'],
    ]);
  });

  it('have stable ids that cannot be used to address them', async () => {
    const [first] = (await list({ sources: 'setting' })).results;
    const [again] = (await list({ sources: 'setting' })).results;
    expect(first).toEqual(again);
    expect(await call(address(`${first?.id ?? ''}/`), { token: admin })).toMatchObject(NOT_FOUND);
    expect(await call(address(`${first?.id ?? ''}/`), { token: admin, method: 'DELETE' })).toMatchObject(NOT_FOUND);
  });

  it('are listed up to ten years into the future', async () => {
    const { results } = await list({ employee_ids: org.id(AUGUST), daterange: '|9999-12-31' });
    // The current year in Europe/Berlin, which the platform uses.
    const year = Number(new Intl.DateTimeFormat('de', { year: 'numeric', timeZone: 'Europe/Berlin' }).format());
    expect(results.at(-1)?.available_from).toBe(`${String(year + 10)}-01-01`);
  });

  it('are the same in pages as in a single response', async () => {
    const whole = await list({ daterange: '|2030-12-31' });
    const paged: RuleJson[] = [];
    let next: string | null = `${address()}?${query({ daterange: '|2030-12-31', limit: '4' })}`;
    while (next !== null) {
      const { json } = await call(next, { token: admin });
      paged.push(...(json as PageJson).results);
      next = (json as PageJson).next;
    }
    expect(paged).toEqual(whole.results);
    expect(paged).toHaveLength(whole.count);
  });
});

describe('manual rules', () => {
  it('are created, read, replaced and deleted', async () => {
    const created = await send('POST', '', bonus(VETERAN, { amount: 2.5, priority: '05' }));
    const { id } = created.json as RuleJson;
    const stored = { id, ...bonus(VETERAN, { amount: '2.50' }), source: 'manual' };
    expect(created).toMatchObject({ status: 201, json: stored });
    expect(Object.keys(created.json as object)).toEqual(Object.keys(stored));
    expect(await call(address(`${id.toUpperCase()}/`), { token: admin })).toMatchObject({ status: 200, json: stored });
    expect(await send('PATCH', `${id}/`, { label: 'Neu' })).toMatchObject({
      status: 400,
      json: { employee_id: ['This field is required.'], amount: ['This field is required.'] },
    });
    expect(await send('PATCH', `${id}/`, bonus(AUGUST))).toMatchObject({ status: 200, json: { id, employee_id: org.id(AUGUST) } });
    expect(await send('PUT', `${id}/`, bonus(VETERAN))).toMatchObject({ status: 200, json: { id, amount: '1.00' } });
    expect((await list({ sources: 'manual' })).results.map((rule) => rule.id)).toEqual([id]);
    expect(await call(address(`${id}/`), { token: admin, method: 'DELETE' })).toMatchObject({ status: 204, text: '' });
    expect(await call(address(`${id}/`), { token: admin })).toMatchObject(NOT_FOUND);
  });

  it.each<[object, object]>([
    [{ amount: '-0.5' }, { amount: ['Ensure this value is greater than or equal to 0.'] }],
    [{ amount: '1e1' }, { amount: ['A valid number is required.'] }],
    [{ priority: 1.5 }, { priority: ['A valid integer is required.'] }],
    [{ missing_type: 'Urlaub' }, { missing_type: ['"Urlaub" is not a valid choice.'] }],
    [{ available_from: '2027-01-01' }, { non_field_errors: ['available_from must be on or before expires_at.'] }],
    [{ employee_id: other.id(AUGUST) }, { employee_id: [`Invalid pk "${other.id(AUGUST)}" - object does not exist.`] }],
    [
      { employee_id: 'x', expires_at: null },
      { employee_id: ['Must be a valid UUID.'], expires_at: ['This field may not be null.'] },
    ],
  ])('with %j are refused', async (fields, errors) => {
    const { status, json } = await send('POST', '', bonus(VETERAN, fields));
    expect([status, json]).toEqual([400, errors]);
  });

  it('accept numbers literally, but no exponents', async () => {
    const body = JSON.stringify(bonus(VETERAN)).replace('"1.00"', '1e1').replace('"priority":5', '"priority":5.0');
    const options: Call = { method: 'POST', token: admin, body, headers: { 'content-type': 'application/json' } };
    expect(await call(address(), options)).toMatchObject({
      status: 400,
      json: { amount: ['A valid number is required.'], priority: ['A valid integer is required.'] },
    });
  });

  it('are visible to accounts that see their employee', async () => {
    const { id } = (await send('POST', '', bonus(VETERAN))).json as RuleJson;
    for (const token of [leader, foreigner]) {
      expect(await call(address(`${id}/`), { token })).toMatchObject(NOT_FOUND);
      expect(await send('PUT', `${id}/`, {}, token)).toMatchObject(NOT_FOUND);
      expect(await call(address(`${id}/`), { token, method: 'DELETE' })).toMatchObject(NOT_FOUND);
      expect((await list({ sources: 'manual' }, token)).count).toBe(0);
    }
    expect(await send('POST', '', bonus(VETERAN), leader)).toMatchObject({ status: 400 });
    expect(shown(await list({ daterange: '|2026-12-31' }, leader))).toEqual([
      [AUGUST, 'Urlaub 2026', '13.00', '2026-08-01', '9999-12-31', 'setting'],
    ]);
    await call(address(`${id}/`), { token: admin, method: 'DELETE' });
  });

  it('are deleted with their employee when the import has ended', async () => {
    const employee = org.employee(LEAVER, 'Lea', 'Leaver');
    await platform.importLines([employee]);
    const { id } = (await send('POST', '', bonus(LEAVER))).json as RuleJson;
    expect((await list({ sources: 'manual' })).count).toBe(1);
    await platform.importLines([buildDeletion(employee)]);
    expect((await list({ sources: 'manual' })).count).toBe(0);
    expect(await call(address(`${id}/`), { token: admin })).toMatchObject(NOT_FOUND);
  });

  it('require the permission for the operation', async () => {
    const { token } = await platform.issue(org.id(ADMIN), { scopes: ['absence_rules:view', 'absence_rules:add'] });
    expect(await call(address(), { token })).toMatchObject({ status: 200 });
    const { id } = (await send('POST', '', bonus(VETERAN), token)).json as RuleJson;
    expect(await send('PUT', `${id}/`, bonus(VETERAN), token)).toMatchObject({ status: 403 });
    expect(await call(address(`${id}/`), { token, method: 'DELETE' })).toMatchObject({ status: 403 });
    expect(await call(address(`${id}/`), { token: admin, method: 'DELETE' })).toMatchObject({ status: 204 });
  });
});

describe('vacation in exports', () => {
  const types = ['granted', 'taken', 'remaining', 'expiring'].map((name) => `vacation-${name}:days`).join('|');

  async function values(employee: number, daterange: string, named = types): Promise<string[]> {
    const parameters = {
      types: named,
      columns: 'value',
      daterange,
      employee_ids: org.id(employee),
      skip_zero_rows: 'false',
      response_only: 'true',
    };
    const { status, text } = await call(`${platform.baseUrl}/exports/generic/?${query(parameters)}`, { token: admin });
    expect(status).toBe(200);
    return text.trim().split('\r\n').slice(1);
  }

  it('reflects the rules and absences at the end of the period', async () => {
    expect(await values(VETERAN, '2026-01-01|2026-03-31')).toEqual(['60', '2', '58', '58']);
    // 28 of the days of 2025 expired after 31 March.
    expect(await values(VETERAN, '2026-06-01|2026-06-30')).toEqual(['60', '4.5', '27.5', '27.5']);
    expect(await values(AUGUST, '2026-08-01|2026-08-31')).toEqual(['13', '0', '13', '0']);
  });

  it('has an account of the year: carry-over + entitlement - taken - expired = remaining', async () => {
    const year = 'vacation-year-carry-over:days|vacation-year-entitlement:days|vacation-year-taken:days|vacation-year-expired:days';
    const account = `${year}|vacation-remaining:days`;
    expect(await values(VETERAN, '2026-06-01|2026-06-30', account)).toEqual(['30', '30', '4.5', '28', '27.5']);
    expect(await values(AUGUST, '2026-08-01|2026-08-31', account)).toEqual(['0', '13', '0', '0', '13']);
    // No date of the API can write the last day of the year before.
    expect(await values(VETERAN, '0001-01-01|0001-12-31', account)).toEqual(['0', '0', '0', '0', '0']);
  });

  it('sums all types of category vacation, and reflects a new rule immediately', async () => {
    const { json } = await send('POST', '', bonus(AUGUST, { missing_type: 'special', amount: '1.25' }));
    expect(await values(AUGUST, '2026-08-01|2026-08-31')).toEqual(['14.25', '0', '14.25', '1.25']);
    await call(address(`${(json as RuleJson).id}/`), { token: admin, method: 'DELETE' });
    expect(await values(AUGUST, '2026-08-01|2026-08-31')).toEqual(['13', '0', '13', '0']);
  });
});

it('rejects unknown values of parameters of the list', async () => {
  const answer = await call(`${address()}?${query({ sources: 'manual|other', daterange: '2026-02-30|', order: 'priority' })}`, {
    token: admin,
  });
  expect(answer).toMatchObject({
    status: 400,
    json: {
      sources: ['"other" is not a valid choice.'],
      daterange: ['Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'],
      $query: ['"priority" is not a valid ordering field.'],
    },
  });
});
