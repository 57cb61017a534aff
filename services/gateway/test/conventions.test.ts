import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError, isUuid } from '@stechuhr/kernel';
import { call } from './support/http.js';
import { startTestGateway, type TestGateway } from './support/gateway.js';

const NOT_FOUND = { detail: 'Not found.' };
const NO_CREDENTIALS = { detail: 'Authentication credentials were not provided.' };
const INVALID_TOKEN = { detail: 'Invalid token.' };
const EXPORTERS = ['generic', 'payroll_a', 'payroll_b', 'multi'];
const PATHS = ['/api/v2/', '/api/v2/exports/', ...EXPORTERS.map((name) => `/api/v2/exports/${name}/`)];

let gateway: TestGateway;
let token: string;
const ask = (target: string, options = {}) => call(gateway.port, target, options);

beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMIT_PER_MINUTE: '0', EXPORT_RATE_LIMIT_PER_MINUTE: '0' });
  token = (await gateway.issue()).token;
});
afterAll(() => gateway.stop());

describe('an unknown path', () => {
  it.each([
    '/',
    '/api/',
    '/api/v1/exports/',
    '/API/v2/exports/',
    '/api/v2/nowhere/',
    '/api/v2/devices/devices/',
    '/api/v2/Exports/',
    '/api/v2/exports/Generic/',
    '/api/v2/exports/payroll_c/',
    '/api/v2/exports/generic/x/',
    '/api/v2/exports/generic//',
    '/api/v2//exports/',
    '//api/v2/exports/',
    '/api/v2/exports/%67eneric/',
    '/api/v2/%zz/',
    '/api/v2/exports/generic%00/',
    '/api/v2/../v2/exports/',
    '/healthz/',
  ])('%s is 404, with any token and method', async (path) => {
    for (const options of [{}, { token }, { token: 'wrong' }, { method: 'POST' }, { method: 'OPTIONS' }]) {
      expect(await ask(path, options)).toMatchObject({ status: 404, json: NOT_FOUND });
    }
  });

  it('is 404 on HEAD, without a body', async () => {
    expect(await ask('/api/v2/nowhere/', { method: 'HEAD' })).toMatchObject({ status: 404, text: '' });
  });
});

describe('a known path', () => {
  it.each(PATHS)('%s first requires credentials', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']) {
      const answer = await ask(`${path}?daterange=x`, { method });
      expect(answer).toMatchObject({ status: 401, json: NO_CREDENTIALS });
      expect(answer.headers['www-authenticate']).toBe('Token');
    }
    expect(await ask(path, { method: 'HEAD' })).toMatchObject({ status: 401, text: '' });
  });

  it.each(PATHS)('%s then checks the method', async (path) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']) {
      const answer = await ask(path, { method, token });
      expect(answer).toMatchObject({ status: 405, json: { detail: `Method "${method}" not allowed.` } });
      expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
    }
  });

  it.each(PATHS)('%s is described by OPTIONS', async (path) => {
    const answer = await ask(path, { method: 'OPTIONS', token });
    expect(answer).toMatchObject({ status: 200, json: { name: expect.any(String), description: expect.any(String) } });
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it('checks the token before the body', async () => {
    const headers = { 'content-length': '10000000000', expect: '100-continue' };
    expect(await ask('/api/v2/exports/', { method: 'POST', headers })).toMatchObject({ status: 401, json: NO_CREDENTIALS });
  });

  it.each([
    ['without a token', '/api/v2/tokens/', {}, 401],
    ['without the right', '/api/v2/timestamps/absence-rules/', { scopes: ['daily_reports:view'] }, 403],
    ['for a method that takes none', '/api/v2/exports/', {}, 405],
  ])('does not ask for a body %s, and closes the connection', async (_, path, issued, status) => {
    const own = status === 401 ? 'wrong' : (await gateway.issue(issued)).token;
    const socket = connect(gateway.port, '127.0.0.1').setEncoding('latin1');
    let received = '';
    socket.on('data', (text: string) => void (received += text));
    const headers = [`Authorization: Token ${own}`, 'Host: gateway', 'Content-Length: 1000000', 'Expect: 100-continue'];
    socket.write([`POST ${path} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
    // The server ends the connection.
    await once(socket, 'end');
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} `));
    expect(received.toLowerCase()).toContain('\r\nconnection: close\r\n');
  });

  it('ignores a body on methods that have none', async () => {
    expect(await ask('/api/v2/exports/', { token, body: '{"broken' })).toMatchObject({ status: 200 });
    const headers = { 'content-type': 'text/xml; charset=latin1', 'content-encoding': 'gzip' };
    expect(await ask('/api/v2/exports/', { token, headers, body: 'x'.repeat(2_000_000) })).toMatchObject({ status: 200 });
  });
});

describe('credentials', () => {
  it.each(['Bearer x', 'Basic x', 'Token', 'x'])('%j are missing', async (authorization) => {
    expect(await ask('/api/v2/', { headers: { authorization } })).toMatchObject({ status: 401, json: NO_CREDENTIALS });
  });

  it.each([`Token wrong`, `Token stu_${'0'.repeat(49)}`, `Token stu_${'0'.repeat(43)}3O9xIA`, 'Token a b'])(
    '%j are invalid',
    async (authorization) => {
      const answer = await ask('/api/v2/', { headers: { authorization } });
      expect(answer).toMatchObject({ status: 401, json: INVALID_TOKEN });
      expect(answer.headers['www-authenticate']).toBe('Token');
    },
  );

  it('accept the scheme in upper and lower case', async () => {
    for (const scheme of ['Token', 'token', 'TOKEN']) {
      expect(await ask('/api/v2/', { headers: { authorization: `${scheme} ${token}` } })).toMatchObject({ status: 200 });
    }
  });
});

describe('a missing trailing slash', () => {
  it.each([
    ['/api/v2', '/api/v2/'],
    ['/api/v2/exports', '/api/v2/exports/'],
    ['/api/v2/exports/generic?daterange=2026-03-01%7C2026-03-31&a=+&a', '/api/v2/exports/generic/?daterange=2026-03-01%7C2026-03-31&a=+&a'],
    ['/api/v2/exports/generic?', '/api/v2/exports/generic/?'],
  ])('%s leads to %s', async (target, location) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask(target, { method });
      expect(answer).toMatchObject({ status: 301, text: '' });
      expect(answer.headers.location).toBe(location);
    }
  });

  it('is 404 on other methods and unknown paths', async () => {
    for (const method of ['POST', 'PUT', 'OPTIONS', 'DELETE']) {
      expect(await ask('/api/v2/exports', { method, token })).toMatchObject({ status: 404, json: NOT_FOUND });
    }
    expect(await ask('/api/v2/nowhere')).toMatchObject({ status: 404, json: NOT_FOUND });
  });
});

describe('the root of the API', () => {
  it('lists the available groups', async () => {
    const answer = await ask('/api/v2/', { token });
    expect(answer).toMatchObject({ status: 200, json: { exports: `http://127.0.0.1:${gateway.port}/api/v2/exports/` } });
    expect(Object.keys(answer.json as object)).toEqual([
      'exports',
      'asynchronous-tasks/tasks',
      'timestamps/absence-rules',
      'reviews/reviews',
      'reviews/suppressions',
      'daily-reports/reports',
      'daily-reports/entries',
      'employees/employees',
      'employees/groups',
      'projects/projects',
      'contracts/contracts',
      'timestamps/workdays',
      'timestamps/workmonths',
      'timestamps/timespans',
      'timestamps/absence',
      'timestamps/absence-applications',
      'accounts/institutions',
      'accounts/managers',
      'tokens',
      'webhooks',
    ]);
  });

  it('responds to HEAD with the headers of GET', async () => {
    const get = await ask('/api/v2/', { token });
    const head = await ask('/api/v2/', { token, method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });
});

describe('the list of exporters', () => {
  it('contains the address of each one and ignores the query', async () => {
    const base = `http://127.0.0.1:${gateway.port}/api/v2/exports/`;
    const json = Object.fromEntries(EXPORTERS.map((name) => [name, `${base}${name}/`]));
    expect(await ask('/api/v2/exports/?daterange=x&a[b]=c', { token })).toMatchObject({ status: 200, json });
  });

  it('builds addresses from the Host header, not from an untrusted proxy', async () => {
    const headers = { host: 'api.example.de', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    const answer = await ask('/api/v2/', { token, headers });
    expect(answer.json).toMatchObject({ exports: 'http://api.example.de/api/v2/exports/' });
  });

  it.each([
    [{ TRUST_PROXY: 'loopback' }, 'https://api.example.de/api/v2/exports/'],
    [{ TRUST_PROXY: '1' }, 'https://api.example.de/api/v2/exports/'],
    [{ TRUST_PROXY: '10.0.0.0/8' }, 'http://inside/api/v2/exports/'],
    [{ PUBLIC_URL: 'https://stechuhr.example/zeit/' }, 'https://stechuhr.example/zeit/api/v2/exports/'],
  ])('with %j builds %s', async (environment, address) => {
    const other = await gateway.another(environment);
    const headers = { host: 'inside', 'x-forwarded-host': 'api.example.de', 'x-forwarded-proto': 'https' };
    expect((await call(other.httpPort, '/api/v2/', { token, headers })).json).toMatchObject({ exports: address });
    await other.stop();
  });

  it('redirects below the path of PUBLIC_URL', async () => {
    const other = await gateway.another({ PUBLIC_URL: 'https://stechuhr.example/zeit' });
    expect((await call(other.httpPort, '/api/v2/exports?a=1')).headers.location).toBe('/zeit/api/v2/exports/?a=1');
    await other.stop();
  });
});

describe('the Accept header', () => {
  it.each([
    'application/json',
    '*/*',
    'application/*',
    'text/html, */*;q=0.1',
    'text/csv, application/json;q=0.2',
    'application/json; charset=utf-8',
    'application/json; indent=4, text/csv',
    'text/csv;header=absent,application/json;profile="a,b;c";q=0.5',
  ])('%s takes JSON', async (accept) => {
    expect(await ask('/api/v2/', { token, headers: { accept } })).toMatchObject({ status: 200 });
  });

  it.each(['text/html', 'image/png, text/csv', 'application/json;q=0', 'application/json; charset=utf-8; q=0', 'text/html; charset=utf-8'])(
    '%s leads to 406 where only JSON is available',
    async (accept) => {
      const json = { detail: 'Could not satisfy the request Accept header.' };
      expect(await ask('/api/v2/exports/', { token, headers: { accept } })).toMatchObject({ status: 406, json });
    },
  );

  it('does not choose the format of an export', async () => {
    expect(await ask('/api/v2/exports/generic/', { token, headers: { accept: 'application/pdf' } })).toMatchObject({ status: 200 });
  });

  it('does not change errors', async () => {
    expect(await ask('/api/v2/', { headers: { accept: 'text/html' } })).toMatchObject({ status: 401, json: NO_CREDENTIALS });
  });
});

describe('X-Request-Id', () => {
  it.each(['abc-DEF_1.2', 'a'.repeat(128)])('%s is used', async (id) => {
    expect((await ask('/api/v2/', { headers: { 'x-request-id': id } })).headers['x-request-id']).toBe(id);
  });

  it.each(['a b', 'a'.repeat(129), '<script>'])('%s is replaced', async (id) => {
    const { headers } = await ask('/api/v2/', { headers: { 'x-request-id': id } });
    expect(isUuid(String(headers['x-request-id']))).toBe(true);
  });

  it.each(['/nowhere/', '/api/v2/', '/api/v2/exports', '/healthz'])('is in the response of %s', async (path) => {
    expect(isUuid(String((await ask(path)).headers['x-request-id']))).toBe(true);
  });
});

describe('every response', () => {
  it.each(['/nowhere/', '/api/v2/', '/api/v2/exports/'])('of %s has security headers and forbids caching', async (path) => {
    const { headers } = await ask(path, { token });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('etag');
  });
});

describe('a failure of a service', () => {
  it.each<[string, AppError | Error, number, object]>([
    ['field errors', AppError.invalid({ daterange: ['x'], types: ['y', 'z'] }), 400, { daterange: ['x'], types: ['y', 'z'] }],
    ['nested errors', AppError.invalid({ config: [{}, { types: ['x'] }] }), 400, { config: [{}, { types: ['x'] }] }],
    ['a service that is unavailable', new AppError('unavailable', 'records is unavailable.'), 503, { detail: 'records is unavailable.' }],
    ['an internal error', new AppError('internal', 'secret host 10.0.0.1'), 500, { detail: 'A server error occurred.' }],
    ['any other error', new Error('secret host 10.0.0.1'), 500, { detail: 'A server error occurred.' }],
  ])('becomes a response: %s', async (_, failure, status, json) => {
    gateway.backends.listExporters = () => Promise.reject(failure);
    const answer = await ask('/api/v2/exports/', { token });
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual(json);
    expect(answer.headers['retry-after']).toBe(status === 503 ? '5' : undefined);
  });

  it('becomes 503 if the service has an older version, which lacks the method', async () => {
    const answer = await ask('/api/v2/employees/employees/', { token });
    expect(answer).toMatchObject({ status: 503, json: { detail: 'A service is not available.' }, headers: { 'retry-after': '5' } });
  });
});

describe('the probes', () => {
  it('respond without a token, only to GET and HEAD', async () => {
    expect(await ask('/healthz')).toMatchObject({ status: 200, json: { status: 'ok' } });
    expect(await ask('/readyz')).toMatchObject({ status: 200, json: { status: 'ready' } });
    expect(await ask('/healthz', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect(await ask('/healthz', { method: 'POST' })).toMatchObject({ status: 405, json: { detail: 'Method "POST" not allowed.' } });
  });

  it.each(['/healthz', '/readyz', '/metrics'])('respond on the admin port: %s', async (path) => {
    expect(await call(gateway.adminPort, path)).toMatchObject({ status: 200 });
  });

  it('name the unavailable dependency without details', async () => {
    const other = await gateway.another({ RECORDS_ADDRESS: '127.0.0.1:1' });
    const answer = await call(other.httpPort, '/readyz');
    expect(answer).toMatchObject({ status: 503, json: { status: 'not ready', failures: ['records'] } });
    expect(await call(other.httpPort, '/healthz')).toMatchObject({ status: 200 });
    await other.stop();
  });
});
