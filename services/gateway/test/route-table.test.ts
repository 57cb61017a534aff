import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApp } from '../src/app.js';
import { readConfig } from '../src/config.js';
import { createContext, type Context } from '../src/context.js';
import { startHttpServer, type HttpServer } from '../src/http-server.js';
import type { Exchange, Route } from '../src/routes/route.js';
import { call } from './support/http.js';
import { startTestGateway, type TestGateway } from './support/gateway.js';
import { collectLogs } from './support/logs.js';

const THINGS = '/api/v2/things/';
const FILES = '/api/v2/files/';
const FORBIDDEN = { status: 403, json: { detail: 'You do not have permission to perform this action.' } };

const done = ({ response }: Exchange) => Promise.resolve(void response.json({ done: true }));
const routes: Route[] = [
  {
    path: THINGS,
    name: 'Things',
    description: 'Everything that there is.',
    authenticated: true,
    operations: {
      GET: { handle: done, scope: 'absence_rules:view' },
      POST: { handle: done, scope: 'absence_rules:add' },
      DELETE: { handle: done },
    },
  },
  {
    path: FILES,
    name: 'Files',
    description: 'What the spec names no scope for.',
    authenticated: true,
    operations: { GET: { handle: done, strictScope: 'exports:run' }, POST: { handle: done, strictScope: null } },
  },
  { path: '/api/v2/notices/', name: 'Notices', description: 'For everybody.', authenticated: false, operations: { GET: { handle: done } } },
  { path: '/api/v2/drop/', name: 'Drop', description: 'Takes only.', authenticated: true, operations: { POST: { handle: done } } },
  {
    path: '/api/v2/defect/',
    name: 'Defect',
    description: 'Fails at once.',
    authenticated: false,
    operations: {
      GET: {
        handle: () => {
          throw new Error('secret');
        },
      },
    },
  },
];

let gateway: TestGateway;
let context: Context;
let server: HttpServer;

beforeAll(async () => {
  gateway = await startTestGateway();
  context = await createContext(readConfig(gateway.environment), collectLogs().logger);
  server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    listener: createApp({ context, routes, requestLog: context.logger, trustProxy: false }),
  });
});
afterAll(async () => {
  await server.stop({ totalMs: 1_000, silentMs: 1_000 });
  await context.close();
  await gateway.stop();
});

const ask = (path: string, options = {}) => call(server.port, path, options);

describe('a permission', () => {
  it('is required if the entry of the routing table names one', async () => {
    const { token } = await gateway.issue({ scopes: ['absence_rules:view', 'daily_reports:edit'] });
    expect(await ask(THINGS, { token })).toMatchObject({ status: 200, json: { done: true } });
    expect(await ask(THINGS, { token, method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect(await ask(THINGS, { token, method: 'POST' })).toMatchObject(FORBIDDEN);
    expect(await ask(THINGS, { token, method: 'DELETE' })).toMatchObject({ status: 200 });
  });

  it('is unlimited for an unrestricted token', async () => {
    const { token } = await gateway.issue();
    for (const method of ['GET', 'POST', 'DELETE']) expect(await ask(THINGS, { token, method })).toMatchObject({ status: 200 });
  });

  it('is checked after the token and the method', async () => {
    const { token } = await gateway.issue({ scopes: ['daily_reports:edit'] });
    expect(await ask(THINGS)).toMatchObject({ status: 401 });
    expect(await ask(THINGS, { token, method: 'PUT' })).toMatchObject({ status: 405 });
    expect(await ask(THINGS, { token, method: 'HEAD' })).toMatchObject({ status: 403, text: '' });
    expect(await ask(THINGS, { token, method: 'OPTIONS' })).toMatchObject({ status: 200 });
    expect((await ask(THINGS, { token })).headers).toHaveProperty('ratelimit-limit');
  });
});

describe('a strict token', () => {
  it('may do only what its scopes allow and what needs no scope', async () => {
    const { token } = await gateway.issue({ scopes: ['absence_rules:view', 'exports:run'], strict: true });
    const answers = [
      [THINGS, 'GET'],
      [FILES, 'GET'],
      [FILES, 'POST'],
      [THINGS, 'POST'],
      [THINGS, 'DELETE'],
    ].map(async ([path = '', method]) => (await ask(path, { token, method })).status);
    expect(await Promise.all(answers)).toEqual([200, 200, 200, 403, 403]);
  });

  it('is told in the response which scope it lacks', async () => {
    const { token } = await gateway.issue({ scopes: ['absence_rules:view'], strict: true });
    const lacking = (scope: string) => ({
      detail: `You do not have permission to perform this action. The token lacks the scope ${scope}.`,
    });
    expect((await ask(FILES, { token })).json).toEqual(lacking('exports:run'));
    expect((await ask(THINGS, { token, method: 'POST' })).json).toEqual(lacking('absence_rules:add'));
    expect((await ask(THINGS, { token, method: 'DELETE' })).json).toEqual(FORBIDDEN.json);
  });

  it('stays strict while it is cached', async () => {
    const { token } = await gateway.issue({ scopes: ['records:view'], strict: true });
    for (const _ of [1, 2, 3]) expect(await ask(FILES, { token })).toMatchObject({ status: 403 });
  });
});

describe('the methods of a route', () => {
  it.each([
    [THINGS, 'GET, POST, DELETE, HEAD, OPTIONS'],
    ['/api/v2/drop/', 'POST, OPTIONS'],
  ])('of %s are %s', async (path, allow) => {
    const { token } = await gateway.issue();
    expect((await ask(path, { token, method: 'OPTIONS' })).headers.allow).toBe(allow);
    expect((await ask(path, { token, method: 'PATCH' })).headers.allow).toBe(allow);
  });

  it('include HEAD only with GET', async () => {
    const { token } = await gateway.issue();
    expect(await ask('/api/v2/drop/', { token, method: 'HEAD' })).toMatchObject({ status: 405 });
  });
});

describe('an open route', () => {
  it('needs no token', async () => {
    expect(await ask('/api/v2/notices/')).toMatchObject({ status: 200 });
    expect(await ask('/api/v2/notices/', { token: 'wrong' })).toMatchObject({ status: 200 });
    expect(await ask('/api/v2/notices/', { method: 'OPTIONS' })).toMatchObject({ status: 200, json: { name: 'Notices' } });
    expect(await ask('/api/v2/notices/', { method: 'POST' })).toMatchObject({ status: 405 });
  });
});

describe('a handler that throws', () => {
  it('reveals no details', async () => {
    const answer = await ask('/api/v2/defect/');
    expect(answer).toMatchObject({ status: 500, json: { detail: 'A server error occurred.' } });
    expect(answer.text).not.toContain('secret');
  });
});
