import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { buildTimespan, buildWorkday } from '@stechuhr/testing';
import { commentLine, entryLine, statusLine, type Place } from './support/daily-reports.js';
import { call, query, type Answer, type Call } from './support/http.js';
import { Organization } from './support/organization.js';
import type { UsedPlatform } from './support/platform.js';
import { sharedPlatform } from './support/shared-platform.js';

const org = new Organization(33);
const other = new Organization(34);
const [ADMIN, LEADER, BUILDER] = [1, 2, 3];
const [ALPHA, BETA, SILENT] = [0x21, 0x22, 0x23];
const [ANNA, BERT] = [0x31, 0x32];
const [A, B] = [org.id(ALPHA), org.id(BETA)];
const DAY = '2026-05-04';
const at = (project: number, date: string): Place => ({ project, date, author: ADMIN });

/** Returns a workday with four hours on ALPHA with two comments, then three hours on BETA. */
function workday(n: number, employee: number): object {
  const span = (offset: number, [start, end]: readonly [string, string], project: number, comment: string | null) =>
    buildTimespan({
      id: org.id(n + offset),
      started_at: `${DAY}T${start}:00`,
      ended_at: `${DAY}T${end}:00`,
      project_id: org.id(project),
      comment,
    });
  const timespans = [
    span(1, ['08:00', '10:00'], ALPHA, 'Mauern'),
    span(2, ['10:00', '12:05'], ALPHA, ' Gerüst '),
    span(3, ['13:00', '16:00'], BETA, null),
  ];
  const times = { started_at: `${DAY}T08:00:00`, ended_at: `${DAY}T16:00:00` };
  return buildWorkday({ id: org.id(n), institution_id: org.id(0), employee_id: org.id(employee), date: DAY, ...times, timespans });
}

const lines = [
  org.institution(),
  org.account(ADMIN, 'admin'),
  { ...org.account(LEADER, 'manager'), project_ids: [A] },
  org.account(BUILDER, 'manager'),
  { ...org.project(ALPHA, 'HB 1/ä'), name: 'Neubau' },
  org.project(BETA, 'HB-2'),
  { ...org.project(SILENT, 'HB-3'), daily_reports_enabled: false },
  org.employee(ANNA, 'Anna', 'Zander'),
  org.employee(BERT, 'Bert', 'Adam'),
  workday(0x100, ANNA),
  workday(0x200, BERT),
  commentLine(org, 0x41, at(ALPHA, '2026-05-05'), 'a'),
  commentLine(org, 0x42, at(ALPHA, '2026-05-06'), 'b'),
  commentLine(org, 0x43, at(ALPHA, '2026-05-07'), 'c'),
  // Anna's hours were corrected manually before autofill.
  entryLine(org, 0x44, at(ALPHA, DAY), { field_id: 'employee-working-times', on_behalf_of_id: org.id(ANNA), hours: 5 }),
  statusLine(org, 0x61, at(ALPHA, '2026-05-05'), 'submitted'),
  statusLine(org, 0x62, at(ALPHA, '2026-05-06'), 'closed'),
  statusLine(org, 0x63, at(ALPHA, '2026-05-07'), 'closed'),
  statusLine(org, 0x64, at(ALPHA, '2026-05-07'), 'archived'),
  other.institution(),
  other.account(ADMIN, 'admin'),
  other.project(ALPHA, 'X-1'),
];

let platform: UsedPlatform;
const tokens = { all: '', view: '', edit: '', approve: '', leader: '', builder: '', foreign: '' };

beforeAll(async () => {
  platform = await sharedPlatform();
  const { rejected } = await platform.importLines(lines);
  expect(rejected).toEqual([]);
  const scoped = async (...scopes: readonly string[]) =>
    (await platform.issue(org.id(ADMIN), { scopes: scopes.map((scope) => `daily_reports:${scope}`) })).token;
  tokens.all = await platform.issueToken(org.id(ADMIN));
  tokens.view = await scoped('view');
  tokens.edit = await scoped('edit');
  tokens.approve = await scoped('edit', 'approve');
  tokens.leader = await platform.issueToken(org.id(LEADER));
  tokens.builder = await platform.issueToken(org.id(BUILDER));
  tokens.foreign = await platform.issueToken(other.id(ADMIN));
});
const ask = (path: string, options: Call = {}): Promise<Answer> =>
  call(`${platform.baseUrl}/daily-reports/${path}`, { token: tokens.all, ...options });
const post = (path: string, body: unknown, token = tokens.all): Promise<Answer> =>
  ask(path, { method: 'POST', token, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

const DATE_FORMAT = 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.';
const unknown = (id: string) => ({ tag: [`Invalid pk "${id}" - object does not exist.`] });

describe('every route', () => {
  const reads = ['reports/', 'reports/field-types/', `reports/status/?tag=${A}&date=${DAY}`, `reports/${A}|${DAY}/pdf/`, 'entries/'];
  const writes: readonly [string, object][] = [
    ['reports/autofill/', { tag: A, date: '2026-05-20' }],
    ['entries/upload-photo-token/', { filename: 'a.jpg', filetype: 'image/jpeg', filesize: 1 }],
  ];

  it.each(reads)('GET %s checks token, method and daily_reports:view, in this order', async (path) => {
    expect(await ask(path, { token: undefined })).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Token' } });
    expect(await ask(path, { token: undefined, method: 'DELETE' })).toMatchObject({ status: 401 });
    expect(await ask(path, { token: tokens.edit, method: 'POST' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD, OPTIONS' },
    });
    expect(await ask(path, { token: tokens.approve })).toMatchObject({ status: 403 });
    expect(await ask(path, { token: tokens.view })).toMatchObject({ status: 200 });
    expect(await ask(path, { token: tokens.view, method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  });

  it.each(writes)('POST %s checks token, method and daily_reports:edit, in this order', async (path, body) => {
    const sent: Call = { method: 'POST', body: '{', headers: { 'content-type': 'text/plain' } };
    expect(await ask(path, { ...sent, token: undefined })).toMatchObject({ status: 401 });
    expect(await ask(path, { token: tokens.view })).toMatchObject({ status: 405, headers: { allow: 'POST, OPTIONS' } });
    expect(await ask(path, { ...sent, token: tokens.view })).toMatchObject({ status: 403 });
    expect(await ask(path, { ...sent, token: tokens.edit })).toMatchObject({ status: 415 });
    expect(await post(path, body, tokens.edit)).toMatchObject({ status: 200 });
  });

  it.each([`reports/pdf/?tag=${A}&date=${DAY}`, `reports/${A}|${DAY}/`, `entries/${org.id(0x41)}/`, 'reports/x/', 'forms/'])(
    '%s does not exist',
    async (path) => {
      expect(await ask(path)).toMatchObject({ status: 404, json: { detail: 'Not found.' } });
    },
  );

  it('is linked from the root of the API', async () => {
    const { json } = await call(`${platform.baseUrl}/`, { token: tokens.all });
    const address = `${platform.baseUrl}/daily-reports/`;
    expect(json).toMatchObject({ 'daily-reports/reports': `${address}reports/`, 'daily-reports/entries': `${address}entries/` });
  });
});

describe('field types', () => {
  it('are the seven of the spec', async () => {
    const { json } = await ask('reports/field-types/');
    expect(json).toMatchObject({ count: 7, next: null, previous: null });
    const { results } = json as { results: { id: string; group_by: string[]; description: string; choices: object }[] };
    expect(results.map(({ id, group_by }) => `${id}: ${group_by.join(' ')}`)).toEqual([
      'weather: date tag_id time',
      'employee-working-times: date tag_id on_behalf_of_id',
      'subcontractors: date tag_id on_behalf_of_id name',
      'activities: date tag_id on_behalf_of_id text',
      'string: date tag_id on_behalf_of_id value',
      'image: date tag_id on_behalf_of_id image_id',
      'signature: date tag_id on_behalf_of_id',
    ]);
    expect(results.every(({ description }) => description !== '')).toBe(true);
    const conditions = { condition: ['sunny', 'cloudy', 'precipitation', 'snow'].map((id) => ({ id, label: expect.any(String) })) };
    expect(results.map(({ choices }) => choices)).toEqual([conditions, {}, {}, {}, {}, {}, {}]);
  });
});

describe('the status of a report', () => {
  it.each([
    [{ tag: A, date: '2026-05-05' }, 'submitted'],
    [{ tag: A.toUpperCase(), date: '2026-05-06' }, 'closed'],
    [{ tag: A, date: '2026-05-07' }, 'archived'],
    [{ tag: A, date: '2030-01-01' }, 'draft'],
  ])('of %j is %s', async ({ tag, date }, status) => {
    expect((await ask(`reports/status/?${query({ tag, date })}`)).json).toEqual({ tag_id: A, date, status });
  });

  it.each<[Record<string, string>, object]>([
    [{}, { tag: ['This field is required.'], date: ['This field is required.'] }],
    [{ tag: '', date: DAY }, { tag: ['This field is required.'] }],
    [
      { tag: 'x', date: '4.5.2026' },
      { tag: ['Must be a valid UUID.'], date: [DATE_FORMAT] },
    ],
    [{ tag: A, date: '2026-02-29' }, { date: [DATE_FORMAT] }],
    [{ tag: org.id(0x7f), date: DAY }, unknown(org.id(0x7f))],
    [{ tag: org.id(SILENT), date: DAY }, unknown(org.id(SILENT))],
    [{ tag: other.id(ALPHA), date: DAY }, unknown(other.id(ALPHA))],
  ])('is refused for %j', async (parameters, problems) => {
    expect(await ask(`reports/status/?${query(parameters)}`)).toMatchObject({ status: 400, json: problems });
  });

  it('is hidden from accounts that may not see the project', async () => {
    const path = `reports/status/?${query({ tag: B, date: DAY })}`;
    expect(await ask(path, { token: tokens.leader })).toMatchObject({ status: 400, json: unknown(B) });
    expect(await ask(path, { token: tokens.foreign })).toMatchObject({ status: 400, json: unknown(B) });
    expect(await ask(path)).toMatchObject({ status: 200 });
  });
});

describe('autofill', () => {
  const autofill = (body: unknown, token = tokens.all) => post('reports/autofill/', body, token);
  const done = (date: string, filled: readonly string[]) => ({ status: 200, json: { tag_id: A, date, filled } });

  it('writes working times once, and does not overwrite corrections', async () => {
    expect(await autofill({ tag: A.toUpperCase(), date: DAY, field: 'activities' })).toMatchObject(done(DAY, ['activities']));
    expect(await autofill({ tag: A, date: DAY })).toMatchObject(done(DAY, ['employee-working-times']));
    const repeats = await Promise.all(Array.from({ length: 10 }, () => autofill({ tag: A, date: DAY, field: null })));
    for (const repeat of repeats) expect(repeat).toMatchObject(done(DAY, []));
    const { json } = await ask(`entries/?${query({ tags: A, daterange: `${DAY}|${DAY}` })}`);
    const { results } = json as { results: Record<string, unknown>[] };
    const written = results.map(({ author_id, on_behalf_of_name, hours, text }) => [author_id, on_behalf_of_name, hours ?? text]);
    expect(written).toHaveLength(6);
    expect(written).toEqual(
      expect.arrayContaining([
        [org.id(ADMIN), 'Anna Zander', 5],
        [null, 'Bert Adam', 4.08],
        ...['Anna Zander', 'Bert Adam'].flatMap((name) => [
          [null, name, 'Mauern'],
          [null, name, 'Gerüst'],
        ]),
      ]),
    );
  });

  it.each(['photos', 'comments', 'nonsense'])('does not fill %s', async (field) => {
    expect(await autofill({ tag: B, date: DAY, field })).toMatchObject({ status: 200, json: { filled: [] } });
  });

  it.each<[unknown, object]>([
    [{}, { tag: ['This field is required.'], date: ['This field is required.'] }],
    [
      { tag: 'x', date: 'x', field: 7 },
      { tag: ['Must be a valid UUID.'], date: [DATE_FORMAT], field: ['Not a valid string.'] },
    ],
    [[], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }],
    [{ tag: org.id(0x7f), date: DAY }, unknown(org.id(0x7f))],
    [{ tag: org.id(SILENT), date: DAY }, unknown(org.id(SILENT))],
    [{ tag: other.id(ALPHA), date: DAY }, unknown(other.id(ALPHA))],
  ])('refuses %j', async (body, problems) => {
    expect(await autofill(body)).toMatchObject({ status: 400, json: problems });
  });

  it('checks permission to edit, project, permission to approve, archive, in this order', async () => {
    const outcome = async (tag: string, date: string, token: string) => (await autofill({ tag, date }, token)).status;
    const statuses = { draft: DAY, submitted: '2026-05-05', closed: '2026-05-06', archived: '2026-05-07' };
    const rows = await Promise.all(
      [tokens.view, tokens.edit, tokens.approve].map((token) =>
        Promise.all([outcome(org.id(0x7f), statuses.submitted, token), ...Object.values(statuses).map((date) => outcome(A, date, token))]),
      ),
    );
    expect(rows).toEqual([
      [403, 403, 403, 403, 403],
      [400, 200, 403, 403, 400],
      [400, 200, 200, 200, 400],
    ]);
    expect((await autofill({ tag: A, date: statuses.archived })).json).toEqual({ non_field_errors: [expect.any(String)] });
    expect(await autofill({ tag: B, date: DAY }, tokens.leader)).toMatchObject({ status: 400, json: unknown(B) });
  });
});

interface UploadToken {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly thumb_fields: Readonly<Record<string, string>>;
}

describe('photos', () => {
  const photo = { filename: 'Baustelle 1.jpeg', filetype: 'image/jpeg', filesize: 5_000 };
  const upload = async (url: string, fields: Readonly<Record<string, string>>, bytes: Buffer): Promise<number> => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([new Uint8Array(bytes)]), photo.filename);
    const response = await fetch(url, { method: 'POST', body: form });
    await response.arrayBuffer();
    return response.status;
  };
  const issue = async (token: string) => (await post('entries/upload-photo-token/', photo, token)).json as UploadToken;

  it('are uploaded with a token, recorded and shown', async () => {
    const { url, fields, thumb_fields } = await issue(tokens.builder);
    expect([fields, thumb_fields].map((form) => Object.keys(form))).toEqual(
      Array.from({ length: 2 }, () => ['key', 'AWSAccessKeyId', 'policy', 'signature']),
    );
    const [key = '', thumbKey = ''] = [fields['key'], thumb_fields['key']];
    expect(key).toMatch(new RegExp(`^uploads/${org.id(0)}/${org.id(BUILDER)}/[0-9a-f-]{36}\\.jpg$`));
    expect(thumbKey).toBe(key.replace('.jpg', '.thumb.jpg'));
    const bytes = { image_url: randomBytes(5_000), thumb_url: randomBytes(50) };
    expect([await upload(url, fields, bytes.image_url), await upload(url, thumb_fields, bytes.thumb_url)]).toEqual([204, 204]);
    const values = { field_id: 'photos', image_id: 'p', image_key: key, thumb_key: thumbKey };
    const entry = (n: number, author: number) => entryLine(org, n, { project: ALPHA, date: '2026-05-08', author }, values);
    const { rejected } = await platform.importLines([entry(0x71, ADMIN), entry(0x72, BUILDER)]);
    expect(rejected).toMatchObject([{ line: 1, id: org.id(0x71), reason: expect.stringContaining('image_key') }]);
    const [listed] = ((await ask(`entries/?ids=${org.id(0x72)}`)).json as { results: Record<string, string>[] }).results;
    for (const [name, sent] of Object.entries(bytes)) {
      const response = await fetch(listed?.[name] ?? '');
      expect(response.headers.get('content-type')).toBe('image/jpeg');
      expect(Buffer.from(await response.arrayBuffer()).equals(sent)).toBe(true);
    }
  });

  it('have separate upload forms', async () => {
    const [one, two] = [await issue(tokens.all), await issue(tokens.all)];
    const key = two.fields['key'] ?? '';
    expect(await upload(one.url, { ...one.fields, key }, randomBytes(10))).toBe(403);
    expect(await upload(one.url, { ...one.fields, policy: two.fields['policy'] ?? '' }, randomBytes(10))).toBe(403);
    expect(await upload(one.url, one.fields, randomBytes(2_097_153))).toBe(400);
    expect(await upload(one.url, one.fields, Buffer.alloc(0))).toBe(400);
  });

  it.each<[object, object]>([
    [{ filetype: 'image/tiff' }, { filetype: ['"image/tiff" is not a valid choice.'] }],
    [{ filesize: 2_097_153 }, { filesize: ['Ensure this value is less than or equal to 2097152.'] }],
    [
      { filesize: 0, filename: null },
      { filesize: ['Ensure this value is greater than or equal to 1.'], filename: ['This field may not be null.'] },
    ],
  ])('are refused with %j', async (fields, problems) => {
    expect(await post('entries/upload-photo-token/', { ...photo, ...fields })).toMatchObject({ status: 400, json: problems });
  });
});

describe('a PDF', () => {
  it.each([`${A}|2026-05-05`, `${A}%7C2026-05-05`, `${A.toUpperCase()}%7c2026-05-05`])('is answered for %s', async (id) => {
    const { status, headers, text } = await ask(`reports/${id}/pdf/`);
    expect([status, headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="Tagesbericht-HB1-2026-05-05\.pdf"/);
    expect(text).toMatch(/^%PDF-1\.[\s\S]*%%EOF\s*$/);
  });

  it('of a day without entries is an empty form', async () => {
    expect((await ask(`reports/${A}|2031-01-01/pdf/`)).text).toMatch(/^%PDF-/);
  });

  it('is validated with HEAD', async () => {
    expect(await ask(`reports/${A}|2026-05-05/pdf/`, { method: 'HEAD' })).toMatchObject({
      status: 200,
      text: '',
      headers: { 'content-type': 'application/pdf' },
    });
    expect(await ask(`reports/${A}|x/pdf/`, { method: 'HEAD' })).toMatchObject({ status: 400, text: '' });
  });

  it.each([
    ['no date', A],
    ['an empty date', `${A}|`],
    ['an invalid date', `${A}|2026-02-29`],
    ['a date of another form', `${A}|4.5.2026`],
    ['too many parts', `${A}|${DAY}|x`],
    ['a malformed project', `x|${DAY}`],
    ['no project', `|${DAY}`],
    ['an unknown project', `${org.id(0x7f)}|${DAY}`],
    ['a project without reports', `${org.id(SILENT)}|${DAY}`],
    ['a project of another institution', `${other.id(ALPHA)}|${DAY}`],
    ['another word', 'field-types'],
  ])('is refused with %s', async (_, id) => {
    expect(await ask(`reports/${encodeURIComponent(id)}/pdf/`)).toMatchObject({ status: 400, json: expect.any(Object) });
  });

  it('is hidden from accounts that may not see the project', async () => {
    const path = `reports/${B}|${DAY}/pdf/`;
    for (const token of [tokens.leader, tokens.foreign]) expect(await ask(path, { token })).toMatchObject({ status: 400 });
    expect(await ask(path)).toMatchObject({ status: 200 });
  });
});
