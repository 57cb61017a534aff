import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, query, type Answer } from './support/http.js';
import { Organization } from './support/organization.js';
import type { UsedPlatform } from './support/platform.js';
import { sharedPlatform } from './support/shared-platform.js';

const org = new Organization(4);
const [ADMIN, DEPARTMENT, ABEL, BLAU] = [1, 11, 21, 22];
const UNKNOWN = '99999999-0000-4000-8000-000000000000';
const MARCH = '2026-03-01|2026-03-31';

const REQUIRED = 'This field is required.';
const WRONG_DATE = 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.';
const HALF = 'The range must have the form YYYY-MM-DD|YYYY-MM-DD.';
const REVERSED = 'The end of the range must not be before its start.';
const TOO_LONG = 'A range of more than 366 days needs is_async=true.';
const FAR_TOO_LONG = 'The range must not be longer than five years.';
const NO_UUID = 'Must be a valid UUID.';
const NO_BOOLEAN = 'Must be a valid boolean.';
const NO_BASE64 = 'Must be valid base64 of UTF-8 text.';
const NO_PREFIX = 'Only the formats csv, plain and table take a prefix.';
const noChoice = (text: string) => `"${text}" is not a valid choice.`;
const base64 = (text: string) => Buffer.from(text).toString('base64');

let platform: UsedPlatform;
let token: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  const lines = [
    org.institution(),
    org.account(ADMIN, 'admin'),
    org.department(DEPARTMENT, 'Hochbau'),
    org.employee(ABEL, 'Anna', 'Abel'),
    org.employee(BLAU, 'Bernd', 'Łukasiewicz'),
    org.shift(31, ABEL, { date: '2026-03-02', start: '08:00', end: '16:00' }),
  ];
  expect(await platform.importLines(lines)).toMatchObject({ rejected: [] });
  token = await platform.issueToken(org.id(ADMIN));
});
const run = (parameters: Record<string, string>, exporter = 'generic'): Promise<Answer> =>
  call(`${platform.baseUrl}/exports/${exporter}/?${query(parameters)}`, { token });

const march = (parameters: Record<string, string>) => run({ daterange: MARCH, ...parameters });

/** Defines a test for each row: the value of the parameter is rejected with these messages under its name. */
function rejects(parameter: string, table: readonly (readonly [value: string, ...messages: string[]])[]): void {
  it.each(table)(`${parameter}=%s`, async (value, ...messages) => {
    const { status, json, headers } = await march({ [parameter]: value });
    expect({ status, json }).toEqual({ status: 400, json: { [parameter]: messages } });
    expect(headers['content-type']).toMatch(/^application\/json/);
  });
}

describe('daterange', () => {
  it('is required', async () => {
    expect(await run({})).toMatchObject({ status: 400, json: { daterange: [REQUIRED] } });
    expect(await run({ daterange: '' })).toMatchObject({ status: 400, json: { daterange: [REQUIRED] } });
  });

  rejects('daterange', [
    ['2026-03-01', HALF],
    ['2026-03-01|', HALF],
    ['|2026-03-31', HALF],
    ['|', HALF],
    ['2026-03-01|2026-03-15|2026-03-31', HALF],
    ['2026-03-31|2026-03-01', REVERSED],
    ['2026-3-1|2026-03-31', WRONG_DATE],
    ['2026-02-29|2026-03-31', WRONG_DATE],
    ['01.03.2026|31.03.2026', WRONG_DATE],
    ['2026-03-01T00:00:00|2026-03-31', WRONG_DATE],
    ['2026-03-01Z|2026-03-31Z', WRONG_DATE],
    [' 2026-03-01|2026-03-31', WRONG_DATE],
    ['2025-01-01|2026-01-02', TOO_LONG],
    ['2021-03-01|2026-03-01', FAR_TOO_LONG],
  ]);

  it.each(['2026-03-01|2026-03-01', '2025-01-01|2026-01-01', '2024-01-01|2024-12-31'])('%s is accepted', async (daterange) => {
    expect(await run({ daterange })).toMatchObject({ status: 200 });
  });

  it('must not exceed five years in the background either', async () => {
    const daterange = '2021-03-01|2026-03-01';
    expect(await run({ daterange, is_async: 'true' })).toMatchObject({ status: 400, json: { daterange: [FAR_TOO_LONG] } });
  });
});

describe('export_format', () => {
  rejects('export_format', [
    ['pdf', noChoice('pdf')],
    ['xlsx', '"xlsx" needs response_only=true.'],
    ['csv:separator>;', `Option ${noChoice('separator')}`],
    ['csv:', 'An option has no name.'],
    ['csv:bom>true:bom>true', '"bom" is repeated.'],
    ['csv:delimiter', 'Option "delimiter" needs one character.'],
    ['csv:delimiter>', 'Option "delimiter" needs one character.'],
    ['csv:delimiter>;;', 'Option "delimiter" needs one character.'],
    ['csv:delimiter>%0A', 'Option "delimiter" needs one character.'],
    ['csv:delimiter>%ZZ', 'The value of "delimiter" is not percent-encoded correctly.'],
    ['csv:quote>always', 'Option "quote" needs "minimal" or "all" or "none".'],
    ["csv:quotechar>''", 'Option "quotechar" needs one character.'],
    ['csv:quotechar>,', 'Options "delimiter" and "quotechar" must differ.'],
    ['csv:newline>cr', 'Option "newline" needs "crlf" or "lf".'],
    ['csv:header>yes', 'Option "header" needs true or false.'],
    ['csv:decimal>;', 'Option "decimal" needs "." or ",".'],
    ['csv:bom>2', 'Option "bom" needs true or false.'],
    ['csv:encoding>latin1', 'Option "encoding" needs "utf-8" or "windows-1252".'],
    ['csv:encoding>windows-1252:bom>true', 'Option "bom" needs the encoding utf-8.'],
    ['csv:formulas>off', 'Option "formulas" needs "escape" or "raw".'],
    ['csv:newline>cr:header>yes', 'Option "newline" needs "crlf" or "lf".', 'Option "header" needs true or false.'],
    ['json:delimiter>;', `Option ${noChoice('delimiter')}`],
  ]);

  it('xlsx requires response_only=true in the background too', async () => {
    const answer = await march({ export_format: 'xlsx', is_async: 'true' });
    expect(answer).toMatchObject({ status: 400, json: { export_format: ['"xlsx" needs response_only=true.'] } });
  });

  it('windows-1252 is rejected if it cannot encode a name in the file', async () => {
    const windows = { export_format: 'csv:encoding>windows-1252', response_only: 'true' };
    expect((await march(windows)).status).toBe(200);
    const answer = await march({ ...windows, skip_zero_rows: 'false' });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.json as object)).toEqual(['export_format']);
    expect(answer.text).toContain('Łukasiewicz');
  });

  it.each(['csv:delimiter>;', 'csv:delimiter>%3B', 'csv:delimiter>:', 'csv:delimiter>%7C', 'csv:delimiter>%09'])(
    '%s is accepted',
    async (export_format) => {
      const delimiter = decodeURIComponent(export_format.slice('csv:delimiter>'.length));
      const answer = await march({ export_format, response_only: 'true', columns: 'last-name|value' });
      expect(answer).toMatchObject({ status: 200, text: `last-name${delimiter}value\r\nAbel${delimiter}8\r\n` });
    },
  );
});

describe('booleans', () => {
  for (const parameter of ['response_only', 'skip_zero_rows', 'is_async']) {
    rejects(
      parameter,
      ['yes', 'on', '2', 'tru', 'null', ' true'].map((value) => [value, NO_BOOLEAN] as const),
    );
  }
});

describe('a misspelled choice', () => {
  it.each([
    ['export_format', 'CSV'],
    ['types', 'education:days'],
    ['types', 'credit-time'],
    ['columns', 'Last-Name'],
  ])('is rejected, possibly with a suggestion: %s=%s', async (parameter, value) => {
    const answer = await march({ [parameter]: value });
    expect(answer.status).toBe(400);
    const [message, ...more] = (answer.json as Record<string, string[]>)[parameter] ?? [];
    expect(message?.startsWith(noChoice(value))).toBe(true);
    expect([Object.keys(answer.json as object), more]).toEqual([[parameter], []]);
  });
});

describe('types', () => {
  rejects('types', [
    ['working-hours:minutes', noChoice('working-hours:minutes')],
    ['xyz|credit-time:hours|uvw', noChoice('xyz'), noChoice('uvw')],
    ['work-time:hours|work-time:hours', '"work-time:hours" is repeated.'],
  ]);

  it('of the institution are accepted', async () => {
    expect(await march({ types: 'vacation:days|vacation:hours|sick:days' })).toMatchObject({ status: 200 });
  });
});

describe('columns', () => {
  rejects('columns', [
    ['shoe-size-of-the-employee', noChoice('shoe-size-of-the-employee')],
    ['last-name|last-name', 'The header "last-name" is repeated; "as" can distinguish the columns.'],
    ['last-name:as>value|value', 'The header "value" is repeated; "as" can distinguish the columns.'],
    ['value:explode', `"value:explode": ${noChoice('explode')}`],
    ['value:round', '"value:round": "round" needs a whole number from 0 to 6.'],
    ['value:round>x', '"value:round>x": "round" needs a whole number from 0 to 6.'],
    ['value:round>1:round>2', '"value:round>1:round>2": "round" is repeated.'],
    ['last-name:round>1', '"last-name:round>1": "round" does not apply to a text.'],
    ['value:as>', '"value:as>": "as" needs a text.'],
  ]);

  it('may be repeated with another header', async () => {
    const answer = await march({ columns: 'last-name|last-name:upper:as>NAME', response_only: 'true' });
    expect(answer).toMatchObject({ status: 200, text: 'last-name,NAME\r\nAbel,ABEL\r\n' });
  });
});

describe('filter', () => {
  rejects('filter', [
    ['shoe-size-of-the-employee=43', noChoice('shoe-size-of-the-employee')],
    ['archived', '"archived" does not have the form key=value.'],
    ['=x', '"=x" does not have the form key=value.'],
    ['hired-before=01.01.2026', `"hired-before=01.01.2026": ${WRONG_DATE}`],
    ['missing-type=parental-leave-2026', `"missing-type": ${noChoice('parental-leave-2026')}`],
  ]);

  it.each(['archived', 'has-accounting-number'])('%s accepts no text', async (key) => {
    const answer = await march({ filter: `${key}=sometimes` });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.json as object)).toEqual(['filter']);
  });

  it('splits at its first equals sign', async () => {
    expect(await march({ filter: 'last-name=a=b' })).toMatchObject({ status: 200 });
  });
});

describe.each(['employee_ids', 'employee_group_ids'])('%s', (parameter) => {
  const known = parameter === 'employee_ids' ? org.id(ABEL) : org.id(DEPARTMENT);

  rejects(parameter, [
    ['x', NO_UUID],
    [`{${known}}`, NO_UUID],
    [UNKNOWN, `Unknown id "${UNKNOWN}".`],
    [`${known}|${known}`, `Duplicate id "${known}".`],
    [`${known}|${known.toUpperCase()}`, `Duplicate id "${known}".`],
    [`${UNKNOWN}|x|${known}|${known}`, NO_UUID, `Duplicate id "${known}".`, `Unknown id "${UNKNOWN}".`],
  ]);

  it('skips empty elements', async () => {
    expect(await march({ [parameter]: `|${known}||` })).toMatchObject({ status: 200 });
  });
});

describe('config', () => {
  rejects('config', [['[]', 'The exporter "generic" takes no config.']]);

  it('is ignored if empty', async () => {
    expect(await march({ config: '' })).toMatchObject({ status: 200 });
  });
});

describe('prefix', () => {
  rejects('prefix', [
    ['not base64', NO_BASE64],
    ['YQ', NO_BASE64],
    ['YQ==YQ==', NO_BASE64],
    ['YR==', NO_BASE64],
    ['_-8=', NO_BASE64],
    [Buffer.from([0xff, 0xfe]).toString('base64'), NO_BASE64],
  ]);

  it('is rejected with json', async () => {
    expect(await march({ export_format: 'json', prefix: base64('a') })).toMatchObject({ status: 400, json: { prefix: [NO_PREFIX] } });
  });

  it('has to fit the encoding', async () => {
    const answer = await march({ export_format: 'csv:encoding>windows-1252', prefix: base64('Ł'), employee_ids: org.id(ABEL) });
    expect(answer).toMatchObject({ status: 400, json: { prefix: ['The prefix has characters that windows-1252 cannot encode.'] } });
  });
});

describe('several problems', () => {
  it('are reported together', async () => {
    const answer = await run({
      export_format: 'pdf',
      types: 'xyz',
      columns: 'shoe-size-of-the-employee',
      filter: 'archived',
      employee_ids: 'x',
      employee_group_ids: UNKNOWN,
      config: '1|2',
      prefix: '!',
      response_only: 'maybe',
      skip_zero_rows: 'maybe',
      is_async: 'maybe',
    });
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.json).toEqual({
      daterange: [REQUIRED],
      export_format: [noChoice('pdf')],
      types: [noChoice('xyz')],
      columns: [noChoice('shoe-size-of-the-employee')],
      filter: ['"archived" does not have the form key=value.'],
      employee_ids: [NO_UUID],
      employee_group_ids: [`Unknown id "${UNKNOWN}".`],
      config: ['The exporter "generic" takes no config.'],
      prefix: [NO_BASE64],
      response_only: [NO_BOOLEAN],
      skip_zero_rows: [NO_BOOLEAN],
      is_async: [NO_BOOLEAN],
    });
  });

  it('are reported for each parameter, even if one has very many', async () => {
    const many = (word: string) => Array.from({ length: 100 }, (_, number) => `${word}-${String(number)}-of-the-employee`).join('|');
    const { status, json } = await march({ types: many('type'), columns: many('column'), filter: many('filter') });
    expect([status, Object.keys(json as object).sort()]).toEqual([400, ['columns', 'filter', 'types']]);
  });
});

describe('is_async=true', () => {
  it('accepts a range of more than 366 days, and validates everything else like a synchronous export', async () => {
    const answer = await run({ daterange: '2024-01-01|2026-03-31', is_async: '1' });
    expect(answer).toMatchObject({ status: 200, json: { status: 'created', finished_at: null, target: null } });
    expect(await march({ is_async: 'true', types: 'xyz' })).toMatchObject({ status: 400, json: { types: [noChoice('xyz')] } });
  });
});
