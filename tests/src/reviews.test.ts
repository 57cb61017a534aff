import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildDeletion, untilAvailable, waitFor } from '@stechuhr/testing';
import { call, query, type Answer, type Call } from './support/http.js';
import { Organization } from './support/organization.js';
import type { UsedPlatform } from './support/platform.js';
import { sharedPlatform } from './support/shared-platform.js';

const org = new Organization(11);
const other = new Organization(12);
const [ADMIN, LEADER] = [1, 2];
const [OFFICE, YARD] = [11, 12];
const [ABEL, BLAU, CRON] = [21, 22, 23];
const NOT_FOUND = { status: 404, json: { detail: 'Not found.' } };

/** Eleven hours without a break on Monday 5 May 2025, followed by a rest period that is half an hour too short. */
const lines = [
  org.institution(),
  org.account(ADMIN, 'admin'),
  org.account(LEADER, 'department_leader', [OFFICE]),
  org.department(OFFICE, 'Büro'),
  org.department(YARD, 'Bauhof'),
  org.employee(ABEL, 'Anna', 'Abel', { department_id: org.id(OFFICE) }),
  org.employee(BLAU, 'Bernd', 'Blau', { department_id: org.id(YARD) }),
  org.employee(CRON, 'Carla', 'Cron'),
  org.shift(31, BLAU, { date: '2025-05-05', start: '08:00', end: '19:00' }),
  org.shift(32, BLAU, { date: '2025-05-06', start: '05:30', end: '07:00' }),
  { ...org.shift(33, ABEL, { date: '2025-05-06', start: '08:00', end: '09:00' }), ended_at: null, timespans: [] },
  other.institution(),
  other.account(ADMIN, 'admin'),
  other.employee(ABEL, 'Zoe', 'Zander'),
];

interface FindingJson {
  readonly code: string;
  readonly date: string;
  readonly references: readonly (readonly [string, string])[];
  readonly context: Readonly<Record<string, unknown>>;
}

interface RuleJson {
  readonly id: string;
  readonly employee_id: string | null;
  readonly valid_to: string | null;
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
const address = (path = '') => `${platform.baseUrl}/reviews/${path}`;
const MAY = { year: '2025', month: '5' };
const run = (parameters: Readonly<Record<string, string>> = MAY, options: Call = {}) =>
  call(`${address('reviews/')}?${query(parameters)}`, { token: admin, ...options });
const findingsOf = (answer: Answer) => (answer.json as { findings: FindingJson[] }).findings;
const send = (method: string, path: string, body: object, token = admin) =>
  call(address(path), { method, token, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
const ask = (method: string, path: string, token = admin) => call(address(path), { method, token });
const shown = (answer: Answer) => findingsOf(answer).map(({ date, code }) => `${date} ${code}`);

const EXPECTED = [
  '2025-05-05 excessive-daily-hours',
  '2025-05-05 insufficient-break',
  '2025-05-06 incomplete-workday',
  '2025-05-06 insufficient-rest-period',
];

describe('a review', () => {
  it('returns the findings of the month as one document', async () => {
    const answer = await run();
    expect(answer).toMatchObject({ status: 200, json: { year: 2025, month: 5 } });
    expect(shown(answer)).toEqual(EXPECTED);
    const [first] = findingsOf(answer);
    expect(first).toEqual({
      code: 'excessive-daily-hours',
      group: 'legal-violations',
      severity: 'error',
      date: '2025-05-05',
      references: [
        ['employee', org.id(BLAU)],
        ['workmonth', expect.any(String)],
        ['workday', org.id(31)],
      ],
      context: { net_working_seconds: 39_600, max_working_seconds: 36_000 },
      details: 'Verdacht: Am 05.05.2025 wurden 11 Stunden gearbeitet, zulässig sind 10 Stunden.',
    });
  });

  it('is identical for all accounts of the organization, and empty for others', async () => {
    const { text } = await run();
    expect((await run(MAY, { token: leader })).text).toBe(text);
    expect((await run({ year: '2025', month: '05' })).text).toBe(text);
    expect((await run(MAY, { token: foreigner })).json).toEqual({ year: 2025, month: 5, findings: [] });
  });

  it('needs a year and a month', async () => {
    const required = ['This field is required.'];
    expect(await run({})).toMatchObject({ status: 400, json: { year: required, month: required } });
    expect(await run({ year: '2025', month: '' })).toMatchObject({ status: 400, json: { month: required } });
    expect(await run({ year: '2025', month: '13' }, { method: 'HEAD' })).toMatchObject({ status: 400, text: '' });
    expect(await run(MAY, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect(await run(MAY, { method: 'POST' })).toMatchObject({ status: 405 });
    expect(await run(MAY, { token: undefined })).toMatchObject({ status: 401 });
  });

  it('can be requested with any token', async () => {
    const { token } = await platform.issue(org.id(ADMIN), { scopes: ['daily_reports:view'] });
    expect(await run(MAY, { token })).toMatchObject({ status: 200 });
  });
});

describe('checks and groups', () => {
  it('are described in German', async () => {
    const { json } = await call(address('reviews/checks/'), { token: admin });
    const { checks } = json as { checks: { value: string; config: object; description: string }[] };
    expect(checks).toHaveLength(14);
    expect(checks.find(({ value }) => value === 'insufficient-break')).toEqual({
      value: 'insufficient-break',
      group: 'legal-violations',
      title: 'Verdacht auf zu kurze Pause',
      description: expect.stringContaining('§ 4 ArbZG'),
      config: {},
    });
    const groups = (await call(address('reviews/groups/'), { token: admin })).json as { groups: { value: string }[] };
    expect(groups.groups.map(({ value }) => value)).toEqual(['missing-data', 'conflicts', 'legal-violations', 'anomalies']);
  });

  it('can be restricted and configured by an organization', async () => {
    const settings = { kind: 'review_settings', institution_id: org.id(0) };
    const own = {
      ...settings,
      checks: ['excessive-daily-hours', 'incomplete-workday'],
      options: { 'excessive-daily-hours': { max_hours: 11 } },
    };
    expect(await platform.importLines([own])).toEqual({ accepted: { review_settings: 1 }, rejected: [], warnings: [] });
    const { json } = await call(address('reviews/checks/'), { token: admin });
    expect(json).toMatchObject({
      checks: [
        { value: 'incomplete-workday', config: {} },
        { value: 'excessive-daily-hours', config: { max_hours: 11 } },
      ],
    });
    expect(shown(await run())).toEqual(['2025-05-06 incomplete-workday']);
    expect(await platform.importLines([{ ...settings, deleted: true }])).toMatchObject({ rejected: [] });
    expect(shown(await run())).toEqual(EXPECTED);
  });

  it('are accepted for an organization in the same import, but not for an unknown one', async () => {
    const third = new Organization(13);
    const settings = { kind: 'review_settings', institution_id: third.id(0), checks: [] };
    const unknown = { ...settings, institution_id: new Organization(14).id(0) };
    const { accepted, rejected } = await platform.importLines([settings, third.institution(), unknown]);
    expect(accepted).toEqual({ review_settings: 1, institution: 1 });
    expect(rejected).toEqual([
      { file: '-', line: 3, kind: 'review_settings', id: null, reason: `institution_id names no institution: ${unknown.institution_id}.` },
    ]);
  });
});

describe('suppression rules', () => {
  const rule = { code: 'insufficient-break', employee_id: org.id(BLAU), valid_from: '2025-05-01' };

  it('are created only once by concurrent requests, even with different last days', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        untilAvailable(() => send('POST', 'suppressions/', { ...rule, valid_to: `2025-06-${String(1 + (index % 30)).padStart(2, '0')}` })),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect([statuses.filter((status) => status === 201).length, statuses.filter((status) => status === 200).length]).toEqual([1, 49]);
    const created = answers.find(({ status }) => status === 201)?.json as RuleJson;
    for (const { json } of answers) expect(json).toEqual(created);
    expect((await call(address(`suppressions/${created.id}/`), { token: leader })).json).toEqual(created);
    expect(await ask('DELETE', `suppressions/${created.id}/`)).toMatchObject({ status: 204, text: '' });
    expect(await call(address(`suppressions/${created.id}/`), { token: admin })).toMatchObject(NOT_FOUND);
  });

  it('can be listed, changed and deleted only by their organization', async () => {
    const { json } = await send('POST', 'suppressions/', rule);
    const { id } = json as RuleJson;
    const list = async (parameters: Readonly<Record<string, string>>, token = admin) =>
      ((await call(`${address('suppressions/')}?${query(parameters)}`, { token })).json as { count: number }).count;
    expect([await list({ valid_from__lte: '2025-04-30' }), await list({ valid_from__lte: '2025-05-01' })]).toEqual([0, 1]);
    expect([await list({}, foreigner), await list({ ids: id }, foreigner), await list({}, leader)]).toEqual([0, 0, 1]);
    expect(await call(`${address('suppressions/')}?valid_until__gte=x&order=id`, { token: admin })).toMatchObject({
      status: 400,
      json: { valid_until__gte: [expect.stringContaining('YYYY-MM-DD')], $query: [expect.stringContaining('"id"')] },
    });
    expect(await send('PATCH', `suppressions/${id}/`, { valid_to: '2025-05-31' })).toMatchObject({
      status: 200,
      json: { id, valid_to: '2025-05-31' },
    });
    expect(await send('PATCH', `suppressions/${id}/`, { valid_from: '2025-06-01' })).toMatchObject({
      status: 400,
      json: { non_field_errors: ['valid_to must not be before valid_from.'] },
    });
    expect(await send('PUT', `suppressions/${id}/`, rule)).toMatchObject({ status: 405 });
    for (const method of ['GET', 'DELETE']) expect(await ask(method, `suppressions/${id}/`, foreigner)).toMatchObject(NOT_FOUND);
    expect(await send('PATCH', `suppressions/${id}/`, {}, foreigner)).toMatchObject(NOT_FOUND);
    expect(await send('POST', 'suppressions/', { ...rule, code: 'x', employee_id: other.id(ABEL) })).toMatchObject({
      status: 400,
      json: { code: ['"x" is not a valid choice.'], employee_id: [`Invalid pk "${other.id(ABEL)}" - object does not exist.`] },
    });
    expect(shown(await run())).toEqual(EXPECTED);
    expect(await ask('DELETE', `suppressions/${id}/`)).toMatchObject({ status: 204 });
  });

  it('are deleted with their employee', async () => {
    const { json } = await send('POST', 'suppressions/', { ...rule, employee_id: org.id(CRON) });
    const { id } = json as RuleJson;
    await platform.importLines([buildDeletion(org.employee(CRON, 'Carla', 'Cron'))]);
    await waitFor(async () => (await call(address(`suppressions/${id}/`), { token: admin })).status === 404 || undefined);
  });
});

describe('stechuhr review', () => {
  const review = (...options: readonly string[]) => platform.cli(['review', '--month', '2025-05', '--token', admin, ...options]);

  it('shows findings by employee and exits 3 while errors remain', async () => {
    const { json } = await send('POST', 'suppressions/', {
      code: 'insufficient-rest-period',
      valid_from: '2025-05-06',
      valid_to: '2025-05-06',
    });
    const { exitCode, stdout } = await review();
    expect(exitCode).toBe(3);
    expect(stdout).toBe(
      '2025-05: 4 findings of 2 employees, 3 errors left, 1 suppressed.\n\n' +
        'Abel, Anna (21)\n' +
        '  2025-05-06  error  incomplete-workday: Der Arbeitstag vom 06.05.2025 begann um 08:00 Uhr und hat kein Ende.\n\n' +
        'Blau, Bernd (22)\n' +
        '  2025-05-05  error       excessive-daily-hours: Verdacht: Am 05.05.2025 wurden 11 Stunden gearbeitet, zulässig sind 10 Stunden.\n' +
        '  2025-05-05  error       insufficient-break: Verdacht: Am 05.05.2025 stehen 11 Stunden Arbeit nur 0 Minuten Pause gegenüber, nötig sind 45 Minuten.\n' +
        '  2025-05-06  suppressed  insufficient-rest-period: Verdacht: Vor dem Arbeitsbeginn am 06.05.2025 um 05:30 Uhr lagen nur 10,5 Stunden Ruhezeit, nötig sind 11 Stunden.\n',
    );
    await ask('DELETE', `suppressions/${(json as RuleJson).id}/`);
  });

  it('prints one JSON value and exits 0 when everything is suppressed', async () => {
    const codes = new Set(EXPECTED.map((line) => line.split(' ')[1]));
    const rules = await Promise.all([...codes].map((code) => send('POST', 'suppressions/', { code, valid_from: '2025-05-01' })));
    const { exitCode, stdout } = await review('--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ year: 2025, month: 5, errors: 0, suppressed: 4 });
    for (const { json } of rules) await ask('DELETE', `suppressions/${(json as RuleJson).id}/`);
  });

  it('covers all employees, but shows only names that the account may see', async () => {
    const { exitCode, stdout } = await platform.cli(['review', '--month', '2025-05', '--token', leader, '--json']);
    expect(exitCode).toBe(3);
    const { findings } = JSON.parse(stdout) as { findings: { employee: object }[] };
    expect(findings).toHaveLength(4);
    expect([findings[0]?.employee, findings[1]?.employee]).toEqual([
      { id: org.id(ABEL), number: '21', first_name: 'Anna', last_name: 'Abel' },
      { id: org.id(BLAU), number: null, first_name: null, last_name: null },
    ]);
  });

  it('rejects an invalid token', async () => {
    const { exitCode, stdout, stderr } = await platform.cli(['review', '--month', '2025-05', '--token', 'nonsense']);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain('Invalid token.');
  });
});
