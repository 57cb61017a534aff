import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@stechuhr/kernel';
import { call, type Call } from './support/http.js';
import { startTestGateway, type TestGateway } from './support/gateway.js';

const LIST = '/api/v2/timestamps/absence-rules/';
const NOT_FOUND = { status: 404, json: { detail: 'Not found.' } };
const JSON_TYPE = { 'content-type': 'application/json' };

let gateway: TestGateway;
let token: string;
let id: string;
let rule: object;
const ask = (path: string, options: Call = {}) => call(gateway.port, path, { token, ...options });
const send = (method: string, path: string, body = '{}', headers: Readonly<Record<string, string>> = JSON_TYPE) =>
  ask(path, { method, body, headers });

beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMIT_PER_MINUTE: '0' });
  token = (await gateway.issue()).token;
});
afterAll(() => gateway.stop());

beforeEach(async () => {
  gateway.backends.absenceRules.rules.clear();
  const created = await send('POST', LIST);
  rule = created.json as object;
  id = (created.json as { id: string }).id;
});

describe('a rule', () => {
  it('has the fields of the spec in their order', async () => {
    const answer = await ask(`${LIST}${id}/`);
    expect(answer).toMatchObject({ status: 200, json: rule });
    expect(answer.text).toBe(
      `{"id":"${id}","employee_id":"e0000000-0000-4000-8000-000000000001","label":"Urlaub 2026","missing_type":"vacation",` +
        '"amount":"13.05","priority":3,"available_from":"2026-08-01","expires_at":"9999-12-31","source":"manual"}',
    );
  });

  it('is created with 201, replaced with 200 by PUT and PATCH, deleted with 204', async () => {
    expect(await send('POST', LIST, '{"amount": 1.50}')).toMatchObject({ status: 201 });
    expect(await send('PUT', `${LIST}${id}/`, '{"a": 1}')).toMatchObject({ status: 200, json: rule });
    expect(await send('PATCH', `${LIST}${id.toUpperCase()}/`, '{"b": 1}')).toMatchObject({ status: 200, json: rule });
    expect(gateway.backends.absenceRules.bodies.slice(-3)).toEqual(['{"amount": 1.50}', '{"a": 1}', '{"b": 1}']);
    expect(await ask(`${LIST}${id}/`, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' });
    expect(await ask(`${LIST}${id}/`)).toMatchObject(NOT_FOUND);
  });
});

describe('the list', () => {
  it('requests the page and passes the parameters on', async () => {
    await ask(`${LIST}?limit=5000&offset=x&sources=manual%7Csetting&unknown=1&empty=`);
    expect(gateway.backends.absenceRules.asked).toMatchObject({
      limit: 1000,
      offset: 0,
      parameters: { sources: 'manual|setting', unknown: '1', limit: '5000', offset: 'x' },
    });
  });

  it('links to its neighbouring pages', async () => {
    const address = `http://127.0.0.1:${String(gateway.port)}${LIST}`;
    expect((await ask(`${LIST}?sources=manual&limit=100&offset=100`)).json).toEqual({
      count: 250,
      next: `${address}?sources=manual&limit=100&offset=200`,
      previous: `${address}?sources=manual&limit=100&offset=0`,
      results: [rule],
    });
  });
});

describe('an id', () => {
  it.each(['x', '123', `${newId()}x`, '%zz', `${newId()}%00`, 'setting|2026'])(
    '%s is an unknown path, with and without a token',
    async (wrong) => {
      for (const options of [{}, { token: 'wrong' }, { method: 'DELETE' }, { method: 'POST' }]) {
        expect(await ask(`${LIST}${wrong}/`, options)).toMatchObject(NOT_FOUND);
      }
      expect(await ask(`${LIST}${wrong}`)).toMatchObject(NOT_FOUND);
    },
  );

  it('without its trailing slash is redirected', async () => {
    const answer = await ask(`${LIST}${id}?a=1`);
    expect(answer).toMatchObject({ status: 301 });
    expect(answer.headers.location).toBe(`${LIST}${id}/?a=1`);
  });
});

describe('the order of checks', () => {
  it('is token, method, permission, existence, then the body', async () => {
    const path = `${LIST}${newId()}/`;
    const { token: viewer } = await gateway.issue({ scopes: ['absence_rules:view'] });
    const broken: Call = { method: 'PUT', body: '{', headers: { 'content-type': 'text/plain' } };
    expect(await call(gateway.port, path, broken)).toMatchObject({ status: 401 });
    expect(await ask(path, { ...broken, method: 'POST', token: viewer })).toMatchObject({ status: 405 });
    expect(await ask(path, { ...broken, token: viewer })).toMatchObject({ status: 403 });
    expect(await ask(path, { ...broken, body: 'x'.repeat(2_000_000) })).toMatchObject(NOT_FOUND);
    const existing = `${LIST}${id}/`;
    expect(await ask(existing, { ...broken, body: 'x'.repeat(2_000_000) })).toMatchObject({ status: 413 });
    expect(await ask(existing, broken)).toMatchObject({ status: 415 });
    expect(await ask(existing, { ...broken, headers: JSON_TYPE })).toMatchObject({ status: 400 });
  });

  it.each([
    ['GET', LIST, 'view'],
    ['POST', LIST, 'add'],
    ['GET', undefined, 'view'],
    ['PUT', undefined, 'edit'],
    ['PATCH', undefined, 'edit'],
    ['DELETE', undefined, 'delete'],
  ] as const)('%s of %s needs absence_rules:%s', async (method, fixed, needed) => {
    const path: string = fixed ?? `${LIST}${id}/`;
    for (const kind of ['view', 'add', 'edit', 'delete'] as const) {
      const { token: restricted } = await gateway.issue({ scopes: [`absence_rules:${kind}`] });
      const { status } = await ask(path, { method, token: restricted, ...(method === 'GET' ? {} : { body: '{}', headers: JSON_TYPE }) });
      expect(status === 403).toBe(kind !== needed);
    }
  });

  it('lists the methods of both paths', async () => {
    expect((await ask(LIST, { method: 'OPTIONS' })).headers.allow).toBe('GET, POST, HEAD, OPTIONS');
    expect((await ask(`${LIST}${id}/`, { method: 'OPTIONS' })).headers.allow).toBe('GET, PUT, PATCH, DELETE, HEAD, OPTIONS');
  });
});

it('is listed at the root of the API', async () => {
  expect((await ask('/api/v2/')).json).toMatchObject({
    'timestamps/absence-rules': `http://127.0.0.1:${String(gateway.port)}${LIST}`,
  });
});
