import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, query, type Answer, type Call } from './support/http.js';
import { Organization } from './support/organization.js';
import type { UsedPlatform } from './support/platform.js';
import { sharedPlatform } from './support/shared-platform.js';

const org = new Organization(2);
const other = new Organization(3);
const [ADMIN, MANAGER, LEADER] = [1, 2, 3];
const [STRUCTURAL, OFFICE] = [11, 12];
const [ABEL, BLAU, CRON, DOM, ESSER, FALK] = [21, 22, 23, 24, 25, 26];
const UNKNOWN = '99999999-0000-4000-8000-000000000000';
const MARCH = { daterange: '2026-03-01|2026-03-31' };
const HEADER = 'last-name,first-name,type,value\r\n';

const inDepartment = (department: number, fields: object = {}) => ({ department_id: org.id(department), ...fields });

const lines = [
  org.institution(),
  org.account(ADMIN, 'admin'),
  org.account(MANAGER, 'manager'),
  org.account(LEADER, 'department_leader', [STRUCTURAL]),
  org.department(STRUCTURAL, 'Hochbau'),
  org.department(OFFICE, 'Büro'),
  org.employee(ABEL, 'Anna', 'Abel', inDepartment(STRUCTURAL)),
  org.employee(BLAU, 'Bernd', 'Blau', inDepartment(OFFICE)),
  org.employee(CRON, 'Carla', 'Cron', inDepartment(STRUCTURAL, { archived_on: '2026-02-28' })),
  org.employee(DOM, 'Dora', 'Dom', inDepartment(STRUCTURAL)),
  org.employee(ESSER, 'Emil', 'Esser', inDepartment(OFFICE, { archived_on: '2026-03-01' })),
  org.employee(FALK, 'Frieda', 'Falk'),
  // Net times of 8 h, 3.5 h, 2 h (outside of the period), 1.25 h and 0.5 h. Nobody has a contract, and March 2026 has no holiday.
  org.shift(31, ABEL, { date: '2026-03-02', start: '08:00', end: '16:00' }),
  org.shift(32, BLAU, { date: '2026-03-03', start: '09:00', end: '12:30' }),
  org.shift(33, CRON, { date: '2026-02-10', start: '08:00', end: '10:00' }),
  org.shift(34, ESSER, { date: '2026-03-04', start: '07:00', end: '08:15' }),
  org.shift(35, FALK, { date: '2026-03-05', start: '10:00', end: '10:30' }),
  other.institution(),
  other.account(ADMIN, 'admin'),
  other.department(STRUCTURAL, 'Hochbau'),
  other.employee(ABEL, 'Zoe', 'Zander', { department_id: other.id(STRUCTURAL) }),
  other.shift(31, ABEL, { date: '2026-03-02', start: '08:00', end: '10:00' }),
];

const ROWS = {
  abel: 'Abel,Anna,credit-time:hours,8\r\n',
  blau: 'Blau,Bernd,credit-time:hours,3.5\r\n',
  dom: 'Dom,Dora,credit-time:hours,0\r\n',
  esser: 'Esser,Emil,credit-time:hours,1.25\r\n',
  falk: 'Falk,Frieda,credit-time:hours,0.5\r\n',
  zander: 'Zander,Zoe,credit-time:hours,2\r\n',
};
const EVERYONE = HEADER + ROWS.abel + ROWS.blau + ROWS.esser + ROWS.falk;

let platform: UsedPlatform;
const tokens = { admin: '', manager: '', leader: '', other: '' };

beforeAll(async () => {
  platform = await sharedPlatform();
  expect(await platform.importLines(lines)).toMatchObject({ rejected: [] });
  tokens.admin = await platform.issueToken(org.id(ADMIN));
  tokens.manager = await platform.issueToken(org.id(MANAGER));
  tokens.leader = await platform.issueToken(org.id(LEADER));
  tokens.other = await platform.issueToken(other.id(ADMIN));
});
function run(parameters: Record<string, string>, options: Call = {}): Promise<Answer> {
  return call(`${platform.baseUrl}/exports/generic/?${query({ ...MARCH, ...parameters })}`, { token: tokens.admin, ...options });
}

const download = (parameters: Record<string, string>, options: Call = {}) => run({ response_only: 'true', ...parameters }, options);

describe('an export contains', () => {
  it.each(['admin', 'manager'] as const)('the whole institution for a caller who is %s', async (role) => {
    expect(await download({}, { token: tokens[role] })).toMatchObject({
      status: 200,
      text: EVERYONE,
      headers: { 'x-export-skipped': '1' },
    });
  });

  it('only their departments for a department leader, who learns of no other skipped employees', async () => {
    const answer = await download({}, { token: tokens.leader });
    expect(answer).toMatchObject({ status: 200, text: HEADER + ROWS.abel, headers: { 'x-export-skipped': '1' } });
  });

  it('only the institution of the caller', async () => {
    const answer = await download({}, { token: tokens.other });
    expect(answer).toMatchObject({ status: 200, text: HEADER + ROWS.zander, headers: { 'x-export-skipped': '0' } });
  });

  it('an employee selected by id, ignoring case', async () => {
    expect(await download({ employee_ids: org.id(BLAU).toUpperCase() })).toMatchObject({ status: 200, text: HEADER + ROWS.blau });
  });

  it('employees of either list', async () => {
    const either = { employee_ids: `${org.id(FALK)}|${org.id(ABEL)}`, employee_group_ids: org.id(OFFICE) };
    expect(await download(either)).toMatchObject({ status: 200, text: EVERYONE });
    expect(await download({ employee_group_ids: org.id(STRUCTURAL) })).toMatchObject({ status: 200, text: HEADER + ROWS.abel });
  });

  it('nobody who was archived before the period, even if selected', async () => {
    const answer = await download({ employee_ids: org.id(CRON), daterange: '2026-02-01|2026-03-31' });
    expect(answer).toMatchObject({
      status: 200,
      text: `${HEADER}Cron,Carla,credit-time:hours,2\r\n`,
      headers: { 'x-export-skipped': '0' },
    });
    const later = await download({ employee_ids: org.id(CRON) });
    expect(later).toMatchObject({ status: 200, text: HEADER, headers: { 'x-export-skipped': '1' } });
  });

  it('employees who are archived on the first day of the period or later', async () => {
    expect((await download({ employee_ids: org.id(ESSER) })).text).toBe(HEADER + ROWS.esser);
  });

  it('only selected employees in its count of skipped ones', async () => {
    expect((await download({ employee_ids: org.id(ABEL) })).headers['x-export-skipped']).toBe('0');
  });
});

describe('an id that the caller may not see is unknown', () => {
  const unknown = async (parameter: string) => (await run({ [parameter]: UNKNOWN })).json as Record<string, string[]>;
  const sameAsUnknown = async (parameter: string, id: string, token: string) => {
    const expected = JSON.parse(JSON.stringify(await unknown(parameter)).replaceAll(UNKNOWN, id)) as object;
    expect(Object.keys(expected)).toEqual([parameter]);
    expect(await run({ [parameter]: id }, { token })).toMatchObject({ status: 400, json: expected });
  };

  it('in employee_ids', async () => {
    await sameAsUnknown('employee_ids', org.id(BLAU), tokens.leader);
    await sameAsUnknown('employee_ids', other.id(ABEL), tokens.admin);
    await sameAsUnknown('employee_ids', org.id(ABEL), tokens.other);
  });

  it('in employee_group_ids', async () => {
    await sameAsUnknown('employee_group_ids', org.id(OFFICE), tokens.leader);
    await sameAsUnknown('employee_group_ids', other.id(STRUCTURAL), tokens.admin);
    await sameAsUnknown('employee_group_ids', org.id(STRUCTURAL), tokens.other);
  });
});

describe('skip_zero_rows', () => {
  it('false keeps rows of zero', async () => {
    const all = HEADER + ROWS.abel + ROWS.blau + ROWS.dom + ROWS.esser + ROWS.falk;
    for (const skip_zero_rows of ['false', 'FALSE', '0']) expect((await download({ skip_zero_rows })).text).toBe(all);
  });

  it('is true unless set to false', async () => {
    for (const skip_zero_rows of ['true', 'True', '1', '']) expect((await download({ skip_zero_rows })).text).toBe(EVERYONE);
  });
});

describe('the envelope', () => {
  it('echoes the defaults', async () => {
    const answer = await run({});
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json(;|$)/);
    expect(answer.headers['content-disposition']).toBeUndefined();
    expect(answer.json).toEqual({
      request: {
        is_async: false,
        skip_zero_rows: true,
        exporter: 'generic',
        export_format: 'csv',
        daterange: ['2026-03-01', '2026-03-31'],
        employee_ids: null,
        types: null,
        columns: null,
        response_only: false,
        prefix: null,
        filter: null,
      },
      response: EVERYONE,
    });
  });

  it('echoes the parameters: format, filter and prefix literally, ids in lower case', async () => {
    const prefix = Buffer.from('Lohn März\n').toString('base64');
    const answer = await run({
      export_format: 'csv:delimiter>;:newline>lf',
      types: 'credit-time:hours|work-time:hours',
      columns: 'last-name|type|value:comma',
      filter: 'department!=Büro',
      employee_ids: `${org.id(BLAU).toUpperCase()}|${org.id(ABEL)}`,
      employee_group_ids: org.id(STRUCTURAL),
      skip_zero_rows: '0',
      is_async: 'False',
      prefix,
    });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.json).toEqual({
      request: {
        is_async: false,
        skip_zero_rows: false,
        exporter: 'generic',
        export_format: 'csv:delimiter>;:newline>lf',
        daterange: ['2026-03-01', '2026-03-31'],
        employee_ids: [org.id(BLAU), org.id(ABEL)],
        types: ['credit-time:hours', 'work-time:hours'],
        columns: ['last-name', 'type', 'value:comma'],
        response_only: false,
        prefix,
        filter: 'department!=Büro',
      },
      response:
        'Lohn März\nlast-name;type;value\n' +
        'Abel;credit-time:hours;8\nAbel;work-time:hours;8\nDom;credit-time:hours;0\nDom;work-time:hours;0\n',
    });
  });

  it('contains json rows as objects with numbers', async () => {
    const answer = await run({ export_format: 'json', columns: 'last-name|value|date' });
    expect(answer.json).toMatchObject({
      request: { export_format: 'json', columns: ['last-name', 'value', 'date'] },
      response: [
        { 'last-name': 'Abel', value: 8, date: null },
        { 'last-name': 'Blau', value: 3.5, date: null },
        { 'last-name': 'Esser', value: 1.25, date: null },
        { 'last-name': 'Falk', value: 0.5, date: null },
      ],
    });
  });

  it('contains only the header if nobody is selected', async () => {
    expect((await run({ filter: 'last-name=Niemand' })).json).toMatchObject({ response: HEADER });
    expect((await run({ filter: 'last-name=Niemand', export_format: 'json' })).json).toMatchObject({ response: [] });
  });
});

describe('response_only', () => {
  /** RFC 6266; a second, encoded name may follow. */
  const fileOf = (extension: string) => new RegExp(`^attachment; filename="generic-2026-03-01-2026-03-31\\.${extension}"(;|$)`);

  it('of csv is a file', async () => {
    const { headers } = await download({});
    expect(headers['content-type']).toMatch(/^text\/csv(;|$)/);
    expect(headers['content-disposition']).toMatch(fileOf('csv'));
    expect(headers['cache-control']).toBe('no-store');
  });

  it('of json is a file', async () => {
    const answer = await download({ export_format: 'json', employee_ids: org.id(BLAU) });
    expect(answer.json).toEqual([{ 'last-name': 'Blau', 'first-name': 'Bernd', type: 'credit-time:hours', value: 3.5 }]);
    expect(answer.headers['content-type']).toMatch(/^application\/json(;|$)/);
    expect(answer.headers['content-disposition']).toMatch(fileOf('json'));
  });

  it('puts the prefix directly after the BOM', async () => {
    const prefix = Buffer.from('# März\r\n').toString('base64');
    const answer = await download({ prefix, export_format: 'csv:bom>true', employee_ids: org.id(ABEL) });
    expect(answer.text).toBe(`\uFEFF# März\r\n${HEADER}${ROWS.abel}`);
  });

  it('HEAD returns only the headers', async () => {
    const answer = await download({}, { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 200, text: '' });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-export-skipped': '1' });
    expect(answer.headers['content-disposition']).toMatch(fileOf('csv'));
    expect(answer.headers['content-type']).toMatch(/^text\/csv(;|$)/);
  });

  it('HEAD validates the parameters', async () => {
    expect(await download({ daterange: 'x' }, { method: 'HEAD' })).toMatchObject({ status: 400, text: '' });
  });
});
