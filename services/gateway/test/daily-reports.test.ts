import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dailyReportsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { inTurn } from './support/daily-reports-backend.js';
import { startTestGateway, type TestGateway } from './support/gateway.js';
import { call, type Call } from './support/http.js';

const REPORTS = '/api/v2/daily-reports/reports/';
const ENTRIES = '/api/v2/daily-reports/entries/';
const TAG = '2ed6657d-e927-568b-95e1-2665a8aea6a2';
const NOT_FOUND = { status: 404, json: { detail: 'Not found.' } };
const JSON_TYPE = { 'content-type': 'application/json' };
/** 2026-05-04 as a day, and noon of that day in Berlin as an instant. */
const [DATE, NOON] = [20_577, 1_777_888_800];

let gateway: TestGateway;
let token: string;
const ask = (path: string, options: Call = {}) => call(gateway.port, path, { token, ...options });
const post = (path: string, body = '{}', options: Call = {}) => ask(path, { method: 'POST', body, headers: JSON_TYPE, ...options });
const base = () => `http://127.0.0.1:${String(gateway.port)}`;

beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMIT_PER_MINUTE: '0' });
  token = (await gateway.issue()).token;
});
afterAll(() => gateway.stop());

const weather = { time: '07:00', temperature: 3.5, weatherCondition: 'sunny' };
const WEATHER = '"time":"07:00","temperature":3.5,"weather_condition":"sunny"';

/** A value of each type with its fields in the order of the spec. */
const values: readonly [type: string, value: NonNullable<dailyReportsV1.EntryValue['value']>, fields: string][] = [
  ['weather', { $case: 'weather', value: weather }, WEATHER],
  [
    'weather',
    { $case: 'weather', value: { time: '12:00', temperature: undefined, weatherCondition: undefined } },
    '"time":"12:00","temperature":null,"weather_condition":null',
  ],
  [
    'employee-working-times',
    {
      $case: 'employeeWorkingTimes',
      value: { hours: 7.25, employeeAccountId: '', employeeName: 'Ada Muster', employeePosition: 'Maurerin' },
    },
    '"hours":7.25,"employee_account_id":"","employee_name":"Ada Muster","employee_position":"Maurerin"',
  ],
  [
    'subcontractors',
    { $case: 'subcontractors', value: { name: 'Dach & Co', employees: 3, hours: undefined, comment: undefined } },
    '"name":"Dach & Co","employees":3,"hours":null,"comment":null',
  ],
  ['activities', { $case: 'activities', value: { text: 'Mauern' } }, '"text":"Mauern"'],
  ['string', { $case: 'string', value: { value: '2 | 3' } }, '"value":"2 | 3"'],
  [
    'image',
    {
      $case: 'image',
      value: dailyReportsV1.ImageValue.fromPartial({
        imageId: 'i',
        imageKey: 'k.jpg',
        imageUrl: 'http://k',
        latitude: 48.1,
        takenAt: NOON,
      }),
    },
    '"image_id":"i","image_key":"k.jpg","image_url":"http://k","thumb_key":null,"thumb_url":null,' +
      '"latitude":48.1,"longitude":null,"taken_at":"2026-05-04T12:00:00"',
  ],
  ['signature', { $case: 'signature', value: { image: 'data:image/png;base64,AA==' } }, '"image":"data:image/png;base64,AA==","role":null'],
  ['signature', { $case: 'signature', value: { image: '', role: 'Bauleitung' } }, '"image":"","role":"Bauleitung"'],
];

describe('a report', () => {
  it('has the fields of the spec in their order', async () => {
    const report = dailyReportsV1.Report.fromPartial({
      tagId: TAG,
      date: DATE,
      status: dailyReportsV1.ReportStatus.REPORT_STATUS_SUBMITTED,
      tag: { id: TAG, name: 'Neubau', code: 'HB-101', color: '#ff0000' },
      address: 'Am Bau 1',
      costCenter: '4711',
      client: 'Stadt',
      contributorCount: 2,
      employees: [{ id: 'e', firstName: 'Ada', lastName: 'Muster' }],
      totalHours: 7.25,
      weather: [weather],
      values: values.map(([, value]) => ({ value })),
    });
    const bare = dailyReportsV1.Report.fromPartial({ tagId: TAG, date: DATE, status: dailyReportsV1.ReportStatus.REPORT_STATUS_DRAFT });
    gateway.backends.dailyReports.reports = () =>
      inTurn([
        { count: 3, reports: [report] },
        { count: 3, reports: [bare] },
      ]);
    const answer = await ask(REPORTS);
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
    expect(answer.text).toBe(
      `{"count":3,"next":null,"previous":null,"results":[{"id":"${TAG}|2026-05-04","date":"2026-05-04","tag_id":"${TAG}",` +
        `"status":"submitted","tag":{"id":"${TAG}","name":"Neubau","code":"HB-101","color":"#ff0000"},"address":"Am Bau 1",` +
        '"cost_center":"4711","client":"Stadt","contributor_count":2,"employees":[{"id":"e","first_name":"Ada","last_name":"Muster"}],' +
        `"total_hours":7.25,"weather":[{${WEATHER}}],"values":[` +
        `${values.map(([type, , fields]) => `{"type":"${type}",${fields}}`).join(',')}]},` +
        `{"id":"${TAG}|2026-05-04","date":"2026-05-04","tag_id":"${TAG}","status":"draft","tag":null,"address":"","cost_center":"",` +
        '"client":"","contributor_count":0,"employees":[],"total_hours":0,"weather":[],"values":[]}]}',
    );
  });
});

describe('an entry', () => {
  it.each(values)('of type %s has the fields of the spec in their order', async (type, value, fields) => {
    const entry = dailyReportsV1.Entry.fromPartial({
      id: 'e',
      groupId: `2026-05-04|${TAG}|07:00`,
      groupCount: 2,
      fieldId: 'f',
      type,
      date: DATE,
      tagId: TAG,
      createdAt: NOON,
      modifiedAt: NOON + 3_600,
      value: { value },
    });
    const people = { authorId: 'a', authorName: 'A B', onBehalfOfId: 'p', onBehalfOfName: 'P Q', submittedAt: NOON, burned: true };
    gateway.backends.dailyReports.entries = () => inTurn([{ count: 2, entries: [entry, { ...entry, ...people }] }]);
    const common = `"id":"e","group_id":"2026-05-04|${TAG}|07:00","group_count":2,"field_id":"f","type":"${type}","date":"2026-05-04","tag_id":"${TAG}"`;
    const times = '"created_at":"2026-05-04T12:00:00","modified_at":"2026-05-04T13:00:00"';
    expect((await ask(ENTRIES)).text).toBe(
      `{"count":2,"next":null,"previous":null,"results":[` +
        `{${common},"author_id":null,"author_name":null,"on_behalf_of_id":null,"on_behalf_of_name":null,"burned":false,"submitted_at":null,${times},${fields}},` +
        `{${common},"author_id":"a","author_name":"A B","on_behalf_of_id":"p","on_behalf_of_name":"P Q","burned":true,` +
        `"submitted_at":"2026-05-04T12:00:00",${times},${fields}}]}`,
    );
  });
});

describe.each([
  ['reports', REPORTS],
  ['entries', ENTRIES],
] as const)('the list of %s', (name, path) => {
  const answerWith = (messages: readonly (object | Error)[]) => {
    const backend = gateway.backends.dailyReports;
    backend[name] = () => inTurn(messages as never[]);
  };

  it('passes its parameters on, and is paginated', async () => {
    answerWith([{ count: 250, [name]: [] }]);
    const answer = await ask(`${path}?projects=a%7Cb&limit=100&offset=100&x=`);
    const address = `${base()}${path}?projects=a%7Cb&limit=100`;
    expect(answer.json).toEqual({ count: 250, next: `${address}&offset=200`, previous: `${address}&offset=0`, results: [] });
    expect(gateway.backends.dailyReports.asked).toMatchObject({
      caller: { accountId: expect.any(String) },
      parameters: { projects: 'a|b' },
      limit: 100,
      offset: 100,
    });
    await ask(`${path}?limit=5000&offset=x`);
    expect(gateway.backends.dailyReports.asked).toMatchObject({ limit: 1000, offset: 0 });
    expect(await ask(path, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  });

  it('that fails before its first part is an error response; a later failure aborts the response', async () => {
    const details = { $query: ['"x" is not a valid ordering field.'] };
    answerWith([AppError.invalid(details)]);
    expect(await ask(`${path}?order=x`)).toMatchObject({ status: 400, json: details });
    answerWith([new AppError('unavailable', 'Unavailable.')]);
    expect(await ask(path)).toMatchObject({ status: 503 });
    const reports = [
      dailyReportsV1.Report.fromPartial({ tagId: TAG, date: DATE, status: dailyReportsV1.ReportStatus.REPORT_STATUS_DRAFT }),
    ];
    const entries = [dailyReportsV1.Entry.fromPartial({ value: { value: { $case: 'string', value: { value: 'a' } } } })];
    answerWith([{ count: 2, reports, entries }, new Error('secret')]);
    await expect(ask(path)).rejects.toThrow();
  });
});

describe('field types', () => {
  it('are listed on one page', async () => {
    const string = '{"id":"string","group_by":["date","tag_id","on_behalf_of_id","value"],"description":"Text","choices":{}}';
    const whole = await ask(`${REPORTS}field-types/`);
    expect(whole.text).toContain(
      '{"count":3,"next":null,"previous":null,"results":[{"id":"weather","group_by":["date","tag_id","time"],"description":"Wetter",' +
        `"choices":{"condition":[{"id":"sunny","label":"Sonnig"}]}},${string},{"id":"image",`,
    );
    const address = `${base()}${REPORTS}field-types/?limit=1`;
    expect((await ask(`${REPORTS}field-types/?limit=1&offset=1`)).text).toBe(
      `{"count":3,"next":"${address}&offset=2","previous":"${address}&offset=0","results":[${string}]}`,
    );
  });

  it('cannot be sorted', async () => {
    expect(await ask(`${REPORTS}field-types/?order=id`)).toMatchObject({
      status: 400,
      json: { $query: ['"id" is not a valid ordering field.'] },
    });
  });
});

describe('status and autofill', () => {
  it('have the format of the spec', async () => {
    const tag = `"tag_id":"${TAG}","date":"2026-05-04"`;
    expect((await ask(`${REPORTS}status/?tag=${TAG}&date=2026-05-04`)).text).toBe(`{${tag},"status":"closed"}`);
    expect(await ask(`${REPORTS}status/`)).toMatchObject({ status: 400, json: { tag: ['This field is required.'] } });
    expect(await post(`${REPORTS}autofill/`, '{"a": 1}')).toMatchObject({ status: 200, text: `{${tag},"filled":["activities"]}` });
    expect(gateway.backends.dailyReports.asked).toMatchObject({ json: '{"a": 1}', mayApprove: true });
  });

  it.each([
    [null, true],
    [['daily_reports:edit'], false],
    [['daily_reports:edit', 'daily_reports:approve'], true],
  ] as const)('of a token with %j may approve: %s', async (scopes, mayApprove) => {
    const { token: other } = await gateway.issue({ scopes });
    await post(`${REPORTS}autofill/`, '{}', { token: other });
    expect(gateway.backends.dailyReports.asked).toMatchObject({ mayApprove });
  });
});

describe('an upload token', () => {
  it('has two forms for one address', async () => {
    expect(await post(`${ENTRIES}upload-photo-token/`, '{"b": 1}')).toMatchObject({
      status: 200,
      text: '{"url":"http://store/bucket","fields":{"key":"a.jpg"},"thumb_fields":{"key":"a.thumb.jpg"}}',
    });
    expect(gateway.backends.dailyReports.asked).toMatchObject({ json: '{"b": 1}', caller: { accountId: expect.any(String) } });
  });
});

describe('a PDF', () => {
  const head = {
    part: { $case: 'head' as const, value: { fileName: 'Tagesbericht-HB-101-2026-05-04.pdf', mediaType: 'application/pdf' } },
  };
  const chunk = (text: string) => ({ part: { $case: 'chunk' as const, value: Buffer.from(text) } });

  it.each([
    ['a literal pipe', `${TAG}|2026-05-04`, `${TAG}|2026-05-04`],
    ['an encoded pipe', `${TAG}%7C2026-05-04`, `${TAG}|2026-05-04`],
    ['an encoded pipe in lower case', `${TAG}%7c2026-05-04`, `${TAG}|2026-05-04`],
    ['anything else', 'x%20y', 'x y'],
    ['the name of another path', 'field-types', 'field-types'],
  ])('is asked for with %s', async (_, path, reportId) => {
    gateway.backends.dailyReports.pdf = () => inTurn([head, chunk('%PDF'), chunk('-1.3')]);
    const answer = await ask(`${REPORTS}${path}/pdf/`, { headers: { accept: 'application/pdf' } });
    expect(answer).toMatchObject({ status: 200, text: '%PDF-1.3' });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Tagesbericht-HB-101-2026-05-04.pdf"; filename*=UTF-8''Tagesbericht-HB-101-2026-05-04.pdf`,
    });
    expect(gateway.backends.dailyReports.asked).toMatchObject({ reportId, judgeOnly: false });
  });

  it('is checked but not rendered by HEAD', async () => {
    gateway.backends.dailyReports.pdf = () => inTurn([head]);
    const answer = await ask(`${REPORTS}${TAG}|2026-05-04/pdf/`, { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 200, text: '', headers: { 'content-type': 'application/pdf' } });
    expect(gateway.backends.dailyReports.asked).toMatchObject({ judgeOnly: true });
  });

  it('that fails before its first byte is an error response', async () => {
    const details = { id: ['x'] };
    gateway.backends.dailyReports.pdf = () => inTurn<dailyReportsV1.RenderPdfResponse>([AppError.invalid(details)]);
    expect(await ask(`${REPORTS}x/pdf/`)).toMatchObject({ status: 400, json: details });
    gateway.backends.dailyReports.pdf = () => inTurn([head, new Error('secret')]);
    expect(await ask(`${REPORTS}x/pdf/`)).toMatchObject({ status: 500, json: { detail: 'A server error occurred.' } });
    gateway.backends.dailyReports.pdf = () => inTurn([head, chunk('%PDF'), new Error('secret')]);
    await expect(ask(`${REPORTS}x/pdf/`)).rejects.toThrow();
  });

  it.each([
    `${REPORTS}pdf/?tag=${TAG}&date=2026-05-04`,
    `${REPORTS}${TAG}|2026-05-04/`,
    `${REPORTS}a/b/pdf/`,
    `${ENTRIES}x/`,
    `${REPORTS}%zz/pdf/`,
  ])('is not at %s', async (path) => {
    expect(await ask(path)).toMatchObject(NOT_FOUND);
  });
});

describe('permissions', () => {
  const views = [REPORTS, `${REPORTS}field-types/`, `${REPORTS}status/?tag=1`, `${REPORTS}x/pdf/`, ENTRIES];
  const edits = [`${REPORTS}autofill/`, `${ENTRIES}upload-photo-token/`];
  const FORBIDDEN = { status: 403, json: { detail: 'You do not have permission to perform this action.' } };

  it.each([
    ['daily_reports:view', 200, 403],
    ['daily_reports:edit', 403, 200],
    ['daily_reports:approve', 403, 403],
    ['absence_rules:view', 403, 403],
  ] as const)('%s reads %s, writes %s', async (scope, read, written) => {
    const backend = gateway.backends.dailyReports;
    backend.reports = backend.entries = () => inTurn([{ count: 0, reports: [], entries: [] }]);
    backend.pdf = () => inTurn([{ part: { $case: 'head' as const, value: { fileName: 'a', mediaType: 'application/pdf' } } }]);
    const { token: scoped } = await gateway.issue({ scopes: [scope] });
    for (const path of views) expect([path, (await ask(path, { token: scoped })).status]).toEqual([path, read]);
    for (const path of edits) expect([path, (await post(path, '{}', { token: scoped })).status]).toEqual([path, written]);
  });

  it('are checked after token and method, before the body', async () => {
    const { token: viewer } = await gateway.issue({ scopes: ['daily_reports:view'] });
    for (const path of edits) {
      const broken: Call = { method: 'POST', body: '{', headers: { 'content-type': 'text/plain' } };
      expect(await call(gateway.port, path, broken)).toMatchObject({ status: 401 });
      expect(await ask(path, { token: viewer })).toMatchObject({ status: 405, headers: { allow: 'POST, OPTIONS' } });
      expect(await ask(path, { ...broken, token: viewer })).toMatchObject(FORBIDDEN);
      expect(await ask(path, { ...broken, body: 'x'.repeat(2_000_000) })).toMatchObject({ status: 413 });
      expect(await ask(path, broken)).toMatchObject({ status: 415 });
      expect(await post(path, '{')).toMatchObject({ status: 400, json: { detail: expect.stringContaining('JSON parse error - ') } });
    }
    for (const path of views) {
      expect(await call(gateway.port, path)).toMatchObject({ status: 401 });
      expect(await post(path)).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
    }
  });
});

it('is listed at the root of the API', async () => {
  expect((await ask('/api/v2/')).json).toMatchObject({
    'daily-reports/reports': base() + REPORTS,
    'daily-reports/entries': base() + ENTRIES,
  });
});
