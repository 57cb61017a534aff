import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@stechuhr/testing';
import { call, open } from './support/http.js';
import { Organization } from './support/organization.js';
import { startTestPlatform, WITH_TELEMETRY, type TestPlatform } from './support/platform.js';

const org = new Organization(1);
const ADMIN = 1;
/** Groups that the spec mentions, but that the platform does not serve. */
const GROUPS_NOT_SERVED = ['tracking/employees', 'devices/devices', 'projects/categories', 'reports/monthly', 'billing/invoices'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NOT_FOUND = { detail: 'Not found.' };
const NO_CREDENTIALS = { detail: 'Authentication credentials were not provided.' };
const INVALID_TOKEN = { detail: 'Invalid token.' };

let platform: TestPlatform;
let token: string;

beforeAll(async () => {
  platform = await startTestPlatform({
    ...WITH_TELEMETRY,
    RATE_LIMIT_PER_MINUTE: '60',
    RATE_LIMIT_BURST: '20',
    EXPORT_RATE_LIMIT_PER_MINUTE: '3',
  });
  await platform.importLines([org.institution(), org.account(ADMIN, 'admin')]);
  token = await newToken();
});
afterAll(() => platform.stop());

const get = (path: string, options = {}) => call(platform.baseUrl + path, options);
const newToken = () => platform.issueToken(org.id(ADMIN));

describe('an unknown path', () => {
  it.each([
    ...GROUPS_NOT_SERVED.map((group) => `/${group}/`),
    '/nowhere/',
    '/exports/payroll_c/',
    '/exports/Generic/',
    '/exports/generic/x/',
  ])('%s is 404 without a token', async (path) => {
    expect(await get(path)).toMatchObject({ status: 404, json: NOT_FOUND });
  });

  it('is 404 with a wrong token, a wrong method and outside of the version prefix', async () => {
    expect(await get('/nowhere/', { token: 'wrong' })).toMatchObject({ status: 404, json: NOT_FOUND });
    expect(await get('/nowhere/', { method: 'POST' })).toMatchObject({ status: 404, json: NOT_FOUND });
    expect(await call(new URL('/api/v1/exports/', platform.baseUrl).href)).toMatchObject({ status: 404, json: NOT_FOUND });
  });
});

describe('authentication', () => {
  const paths = ['/', '/exports/', '/exports/generic/', '/exports/payroll_a/', '/exports/payroll_b/', '/exports/multi/'];

  it.each(paths)('of %s asks for credentials', async (path) => {
    const answer = await get(path);
    expect(answer).toMatchObject({ status: 401, json: NO_CREDENTIALS });
    expect(answer.headers['www-authenticate']).toBe('Token');
  });

  it.each(paths)('of %s rejects an unknown token', async (path) => {
    const answer = await get(path, { token: 'stu_0123456789' });
    expect(answer).toMatchObject({ status: 401, json: INVALID_TOKEN });
    expect(answer.headers['www-authenticate']).toBe('Token');
  });

  it('is checked before the method and the parameters', async () => {
    expect(await get('/exports/', { method: 'DELETE' })).toMatchObject({ status: 401, json: NO_CREDENTIALS });
    expect(await get('/exports/generic/?daterange=x')).toMatchObject({ status: 401, json: NO_CREDENTIALS });
    expect(await get('/exports/', { method: 'OPTIONS' })).toMatchObject({ status: 401, json: NO_CREDENTIALS });
  });

  it('fails immediately after the revocation of a token', async () => {
    const issued = await platform.issue(org.id(ADMIN));
    expect(await get('/exports/', { token: issued.token })).toMatchObject({ status: 200 });
    expect(await platform.cli(['tokens', 'revoke', issued.id])).toMatchObject({ exitCode: 0 });
    expect(await get('/exports/', { token: issued.token })).toMatchObject({ status: 401, json: INVALID_TOKEN });
  });

  it('fails after the token has expired', async () => {
    const expiresAt = Math.ceil(Date.now() / 1000 + 10) * 1000;
    const issued = await platform.issue(org.id(ADMIN), { expiresAt: localTime(expiresAt) });
    expect(await get('/exports/', { token: issued.token })).toMatchObject({ status: 200 });
    await waitFor(() => Date.now() > expiresAt);
    expect(await get('/exports/', { token: issued.token })).toMatchObject({ status: 401, json: INVALID_TOKEN });
  });

  it('needs no scope for exports', async () => {
    const issued = await platform.issue(org.id(ADMIN), { scopes: ['absence_rules:view'] });
    expect(await get('/exports/', { token: issued.token })).toMatchObject({ status: 200 });
  });
});

describe('with a token', () => {
  it('the base lists the groups that are served', async () => {
    const answer = await get('/', { token });
    expect(answer.status).toBe(200);
    expect(Object.values(answer.json as object)).toContain(`${platform.baseUrl}/exports/`);
    for (const group of GROUPS_NOT_SERVED) expect(answer.text).not.toContain(group);
  });

  it('exports/ maps each exporter to its address and ignores the query', async () => {
    const expected = Object.fromEntries(
      ['generic', 'payroll_a', 'payroll_b', 'multi'].map((name) => [name, `${platform.baseUrl}/exports/${name}/`]),
    );
    const answer = await get('/exports/?daterange=x&a[b]=c', { token });
    expect(answer).toMatchObject({ status: 200, json: expected });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s on an export is 405', async (method) => {
    for (const path of ['/exports/', '/exports/generic/']) {
      const answer = await get(path, { token, method });
      expect(answer).toMatchObject({ status: 405, json: { detail: `Method "${method}" not allowed.` } });
      expect(String(answer.headers.allow).split(', ').sort()).toEqual(['GET', 'HEAD', 'OPTIONS']);
    }
  });

  it('OPTIONS returns a description', async () => {
    const answer = await get('/exports/generic/', { token, method: 'OPTIONS' });
    expect(answer.status).toBe(200);
    expect(String(answer.headers.allow).split(', ').sort()).toEqual(['GET', 'HEAD', 'OPTIONS']);
    expect(answer.json).toEqual({ name: expect.any(String), description: expect.any(String) });
  });

  it('HEAD answers like GET, without the body', async () => {
    const answer = await get('/exports/', { token, method: 'HEAD' });
    expect(answer).toMatchObject({ status: 200, text: '' });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it('every response has the rate limit', async () => {
    const { headers } = await get('/exports/', { token });
    expect(Number(headers['ratelimit-limit'])).toBeGreaterThan(0);
    expect(Number(headers['ratelimit-remaining'])).toBeGreaterThan(0);
    expect(headers['ratelimit-reset']).toMatch(/^[0-9]+$/);
  });
});

describe('a missing trailing slash', () => {
  it.each(['GET', 'HEAD'])('is 301 on %s and keeps the query', async (method) => {
    const answer = await get('/exports/generic?daterange=2026-03-01%7C2026-03-31', { method });
    expect(answer.status).toBe(301);
    expect(new URL(String(answer.headers.location), platform.baseUrl).href).toBe(
      `${platform.baseUrl}/exports/generic/?daterange=2026-03-01%7C2026-03-31`,
    );
  });

  it('is 404 otherwise', async () => {
    expect(await get('/exports', { method: 'POST' })).toMatchObject({ status: 404, json: NOT_FOUND });
    expect(await get('/nowhere')).toMatchObject({ status: 404, json: NOT_FOUND });
  });
});

describe('X-Request-Id', () => {
  it.each(['abc-DEF_1.2', 'x', 'a'.repeat(128)])('%s is kept', async (id) => {
    const { headers } = await get('/exports/', { headers: { 'x-request-id': id } });
    expect(headers['x-request-id']).toBe(id);
  });

  it.each(['a b', 'a'.repeat(129), 'ä', '<script>'])('%s is replaced', async (id) => {
    const { headers } = await get('/exports/', { headers: { 'x-request-id': Buffer.from(id).toString('latin1') } });
    expect(headers['x-request-id']).toMatch(UUID);
  });

  it.each(['/nowhere/', '/exports/', '/exports'])('is in every response: %s', async (path) => {
    const { headers } = await get(path);
    expect(headers['x-request-id']).toMatch(UUID);
  });
});

describe('the rate limit', () => {
  it('throttles one token without affecting others', async () => {
    const greedy = await newToken();
    // More than twice the limit of 80: if Redis is slow, the gateway counts a request locally, so that more than the limit may pass.
    const answers = await Promise.all(Array.from({ length: 200 }, () => get('/exports/', { token: greedy })));
    const throttled = answers.filter(({ status }) => status === 429);
    expect(throttled.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(20);
    for (const { json, headers } of throttled) {
      expect(headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
      expect(json).toEqual({ detail: `Request was throttled. Expected available in ${headers['retry-after']} seconds.` });
      expect(headers['ratelimit-remaining']).toBe('0');
    }
    expect(await get('/exports/', { token })).toMatchObject({ status: 200 });
  });

  it('is lower for exports', async () => {
    const busy = await newToken();
    const runs = [];
    for (let n = 0; n < 4; n++) runs.push(await get('/exports/generic/?daterange=2026-03-01%7C2026-03-31', { token: busy }));
    expect(runs.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(await get('/exports/', { token: busy })).toMatchObject({ status: 200 });
  });
});

describe('the query', () => {
  it('uses the last of repeated keys, parses no nested objects and ignores unknown keys', async () => {
    const answer = await get('/exports/generic/?daterange=x&daterange=2026-03-01%7C2026-03-31&export_format[x]=y&colour=red', {
      token,
    });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ request: { daterange: ['2026-03-01', '2026-03-31'], export_format: 'csv' } });
  });
});

describe('the probes', () => {
  it.each(['/healthz', '/readyz'])('%s of the gateway answers without a token', async (path) => {
    expect(await call(new URL(path, platform.baseUrl).href)).toMatchObject({ status: 200 });
  });

  it('of every service are on its admin port', async () => {
    for (const { admin } of Object.values(platform.run.services)) {
      for (const path of ['/healthz', '/readyz', '/metrics']) expect(await call(`http://${admin}${path}`)).toMatchObject({ status: 200 });
    }
  });
});

describe('a connection', () => {
  it('that a client closes while it waits does no harm', async () => {
    const response = await open(`${platform.baseUrl}/exports/`, { token });
    response.destroy();
    expect(await get('/exports/', { token })).toMatchObject({ status: 200 });
  });
});

/** Formats an instant as a local datetime of the API. */
function localTime(milliseconds: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'medium' })
    .format(milliseconds)
    .replace(' ', 'T');
}
