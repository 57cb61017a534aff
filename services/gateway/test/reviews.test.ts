import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError, newId } from '@stechuhr/kernel';
import { call, type Call } from './support/http.js';
import { startTestGateway, type TestGateway } from './support/gateway.js';
import { findingsOf } from './support/reviews-backend.js';

const RUN = '/api/v2/reviews/reviews/';
const LIST = '/api/v2/reviews/suppressions/';
const NOT_FOUND = { status: 404, json: { detail: 'Not found.' } };
const JSON_TYPE = { 'content-type': 'application/json' };

let gateway: TestGateway;
let token: string;
const ask = (path: string, options: Call = {}) => call(gateway.port, path, { token, ...options });
const send = (method: string, path: string, body = '{}') => ask(path, { method, body, headers: JSON_TYPE });

beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMIT_PER_MINUTE: '0' });
  // The spec defines no scope for reviews, so any token may be used.
  token = (await gateway.issue({ scopes: ['daily_reports:view'] })).token;
});
afterAll(() => gateway.stop());

describe('a review', () => {
  it('has the fields of the spec in their order', async () => {
    const context = [
      { name: 'week', value: { $case: 'text' as const, value: '2026-W19' } },
      { name: 'net_working_seconds', value: { $case: 'number' as const, value: 176_400 } },
    ];
    const references = [
      { type: 'employee', id: 'e' },
      { type: 'workmonth', id: 'm' },
    ];
    const finding = { code: 'a', group: 'g', severity: 'error', date: 20_581, references, context, details: 'Größer „als“ 1,5.' };
    gateway.backends.reviews.runReview = () => findingsOf([finding], [{ ...finding, date: undefined, references: [], context: [] }]);
    const answer = await ask(`${RUN}?year=2026&month=5`);
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
    expect(answer.text).toBe(
      '{"year":2026,"month":5,"findings":[' +
        '{"code":"a","group":"g","severity":"error","date":"2026-05-08","references":[["employee","e"],["workmonth","m"]],' +
        '"context":{"week":"2026-W19","net_working_seconds":176400},"details":"Größer „als“ 1,5."},' +
        '{"code":"a","group":"g","severity":"error","date":null,"references":[],"context":{},"details":"Größer „als“ 1,5."}]}',
    );
  });

  it.each([
    ['no message with any', [[]]],
    ['an empty message at the end', [[{ code: 'a' }], []]],
    ['empty messages in between', [[], [{ code: 'a' }], [], [{ code: 'b' }]]],
  ])('is one document with %s', async (_, messages) => {
    gateway.backends.reviews.runReview = () => findingsOf(...messages);
    const codes = messages.flat().map(({ code }) => code);
    const { json } = await ask(`${RUN}?year=2026&month=5`);
    expect(json).toMatchObject({ year: 2026, month: 5, findings: codes.map((code) => ({ code })) });
    expect((json as { findings: unknown[] }).findings).toHaveLength(codes.length);
  });

  it('passes the parameters and the caller on', async () => {
    let asked: unknown;
    gateway.backends.reviews.runReview = (request) => {
      asked = request;
      return findingsOf([]);
    };
    await ask(`${RUN}?year=2026&month=05&x=1&y=`);
    expect(asked).toMatchObject({
      parameters: { year: '2026', month: '05', x: '1' },
      judgeOnly: false,
      caller: { accountId: expect.any(String) },
    });
    expect(await ask(`${RUN}?year=2026&month=5`, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect(asked).toMatchObject({ judgeOnly: true });
  });

  it('that fails is an error response, not a shorter list', async () => {
    const details = { year: ['This field is required.'] };
    const fails = (error: AppError) => async function* () { throw error; yield* findingsOf(); }; // prettier-ignore
    gateway.backends.reviews.runReview = fails(AppError.invalid(details));
    expect(await ask(RUN)).toMatchObject({ status: 400, json: details });
    gateway.backends.reviews.runReview = fails(new AppError('unavailable', 'Unavailable.'));
    expect(await ask(RUN)).toMatchObject({ status: 503 });
    gateway.backends.reviews.runReview = async function* () {
      yield* findingsOf([{ code: 'a' }]);
      throw new Error('secret');
    };
    await expect(ask(RUN)).rejects.toThrow();
  });
});

describe('checks and groups', () => {
  it('have the format of the spec', async () => {
    const check = '"value":"delayed-employee-edit","group":"anomalies","title":"Spät","description":"Zu spät (§ 17)."';
    expect((await ask(`${RUN}checks/`)).text).toBe(`{"checks":[{${check},"config":{"hours":48.5}},{${check},"config":{}}]}`);
    expect((await ask(`${RUN}groups/`)).text).toBe(
      '{"groups":[{"value":"anomalies","title":"Auffälligkeiten","description":"Ungewöhnlich."}]}',
    );
  });
});

describe('a suppression', () => {
  let id: string;

  beforeEach(async () => {
    gateway.backends.reviews.suppressions.clear();
    id = ((await send('POST', LIST)).json as { id: string }).id;
  });

  it('has the fields of the spec in their order', async () => {
    const text =
      `{"id":"${id}","code":"insufficient-break","employee_id":null,"valid_from":"2026-05-01","valid_to":null,` +
      '"created_at":"2026-06-15T12:00:00","modified_at":"2026-06-15T13:00:00"}';
    expect(await ask(`${LIST}${id.toUpperCase()}/`)).toMatchObject({ status: 200, text });
    const rule = gateway.backends.reviews.suppressions.get(id);
    if (rule !== undefined) gateway.backends.reviews.suppressions.set(id, { ...rule, employeeId: newId(), validTo: 20_604 });
    expect((await ask(`${LIST}${id}/`)).json).toMatchObject({ employee_id: expect.any(String), valid_to: '2026-05-31' });
  });

  it('is created with 201, found again with 200, changed with 200, deleted with 204', async () => {
    expect(await send('POST', LIST, '{"a": 1}')).toMatchObject({ status: 200, json: { id } });
    gateway.backends.reviews.suppressions.clear();
    const created = await send('POST', LIST, '{"b": 1}');
    expect(created).toMatchObject({ status: 201 });
    const path = `${LIST}${(created.json as { id: string }).id}/`;
    expect(await send('PATCH', path, '{"c": 1}')).toMatchObject({ status: 200, json: created.json });
    expect(gateway.backends.reviews.bodies.slice(-3)).toEqual(['{"a": 1}', '{"b": 1}', '{"c": 1}']);
    expect(await ask(path, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' });
    expect(await ask(path)).toMatchObject(NOT_FOUND);
    expect(await ask(path, { method: 'DELETE' })).toMatchObject(NOT_FOUND);
  });

  it('has no PUT', async () => {
    const answer = await send('PUT', `${LIST}${id}/`);
    expect(answer).toMatchObject({ status: 405, json: { detail: 'Method "PUT" not allowed.' } });
    expect(answer.headers.allow).toBe('GET, PATCH, DELETE, HEAD, OPTIONS');
    expect((await ask(LIST, { method: 'OPTIONS' })).headers.allow).toBe('GET, POST, HEAD, OPTIONS');
  });

  it('is checked by token, method, existence, then the body', async () => {
    const path = `${LIST}${newId()}/`;
    const broken: Call = { method: 'PATCH', body: '{', headers: { 'content-type': 'text/plain' } };
    expect(await call(gateway.port, path, broken)).toMatchObject({ status: 401 });
    expect(await ask(path, { ...broken, method: 'PUT' })).toMatchObject({ status: 405 });
    expect(await ask(path, { ...broken, body: 'x'.repeat(2_000_000) })).toMatchObject(NOT_FOUND);
    const existing = `${LIST}${id}/`;
    expect(await ask(existing, { ...broken, body: 'x'.repeat(2_000_000) })).toMatchObject({ status: 413 });
    expect(await ask(existing, broken)).toMatchObject({ status: 415 });
    expect(await ask(existing, { ...broken, headers: JSON_TYPE })).toMatchObject({ status: 400 });
    expect(await ask(`${LIST}x/`)).toMatchObject(NOT_FOUND);
  });

  it('is listed in pages', async () => {
    const address = `http://127.0.0.1:${String(gateway.port)}${LIST}`;
    const answer = await ask(`${LIST}?valid_from__lte=2026-05-01&limit=100&offset=100`);
    expect(answer.json).toEqual({
      count: 250,
      next: `${address}?valid_from__lte=2026-05-01&limit=100&offset=200`,
      previous: `${address}?valid_from__lte=2026-05-01&limit=100&offset=0`,
      results: [(await ask(`${LIST}${id}/`)).json],
    });
    await ask(`${LIST}?limit=5000&offset=x&order=code`);
    expect(gateway.backends.reviews.asked).toMatchObject({ limit: 1000, offset: 0, parameters: { order: 'code' } });
  });
});

it('is listed at the root of the API', async () => {
  const base = `http://127.0.0.1:${String(gateway.port)}`;
  expect((await ask('/api/v2/')).json).toMatchObject({ 'reviews/reviews': base + RUN, 'reviews/suppressions': base + LIST });
});
