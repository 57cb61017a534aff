import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServiceProcess, waitFor, type ServiceProcess } from '@stechuhr/testing';
import { call, open, query } from '../support/http.js';
import { Organization } from '../support/organization.js';
import { askForTask, download, finishedTask, type ExportTask } from '../support/tasks.js';
import { chainOf, fits, SpanKind } from '../support/traces.js';
import { otlp, platform } from './platform.js';

const org = new Organization(11);
const [ADMIN, LEADER, OTHER_ADMIN, OFFICE, ABEL, BLAU, CRON] = [1, 2, 3, 10, 21, 22, 23];
const MARCH = { daterange: '2026-03-01|2026-03-31' };
const LIST = 'asynchronous-tasks/tasks/';
const NOT_FOUND = { status: 404, json: { detail: 'Not found.' } };
/** Address for services that are not called in these tests. */
const UNUSED_ADDRESS = '127.0.0.1:1';
const GATEWAY = join(import.meta.dirname, '../../../services/gateway/dist/main.js');

const lines = [
  org.institution(),
  org.account(ADMIN, 'admin'),
  org.account(LEADER, 'department_leader', [OFFICE]),
  org.account(OTHER_ADMIN, 'admin'),
  org.department(OFFICE, 'Büro'),
  org.employee(ABEL, 'Anna', 'Abel', { department_id: org.id(OFFICE), accounting_number: '7' }),
  org.employee(BLAU, 'Bernd', 'Blau', { accounting_number: '8' }),
  org.employee(CRON, 'Carla', 'Cron', { archived_on: '2026-01-31' }),
  org.contract(31, ABEL),
  org.shift(41, ABEL, { date: '2026-03-02', start: '08:00', end: '16:30' }),
  org.shift(42, BLAU, { date: '2026-03-03', start: '09:00', end: '12:00' }),
  org.absence(51, ABEL, { starts_on: '2026-03-04', ends_on: '2026-03-05' }),
];

let secondGateway: ServiceProcess;
let secondBase: string;
let tokens: Record<'admin' | 'leader' | 'other', string>;

beforeAll(async () => {
  expect(await platform.importLines(lines)).toMatchObject({ rejected: [] });
  const [admin, leader, other] = await Promise.all([ADMIN, LEADER, OTHER_ADMIN].map((account) => platform.issueToken(org.id(account))));
  tokens = { admin: admin ?? '', leader: leader ?? '', other: other ?? '' };
  ({ process: secondGateway, base: secondBase } = await startSecondGateway());
});
afterAll(() => secondGateway.stop());

async function startSecondGateway(): Promise<{ readonly process: ServiceProcess; readonly base: string }> {
  const { infra, services } = platform.run;
  const port = new URL(platform.baseUrl).port;
  const addresses = Object.entries(services).flatMap(([name, { grpc }]) =>
    grpc === null ? [] : [[`${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`, grpc] as const],
  );
  const process = await startServiceProcess({
    main: GATEWAY,
    env: {
      DAILY_REPORTS_ADDRESS: UNUSED_ADDRESS,
      WEBHOOKS_ADDRESS: UNUSED_ADDRESS,
      ...Object.fromEntries(addresses),
      MONGODB_URL: infra.mongodb,
      MONGODB_DATABASE: platform.gatewayDatabase,
      NATS_URL: infra.nats,
      REDIS_URL: infra.redis,
      HOST: '127.0.0.2',
      PORT: port,
      RATE_LIMIT_PER_MINUTE: '0',
      EXPORT_RATE_LIMIT_PER_MINUTE: '0',
    },
  });
  return { process, base: `http://127.0.0.2:${port}/api/v2` };
}

/** Each test uses another day, since tasks are found again for twelve hours. */
let day = 0;
function newPeriod(): { readonly daterange: string } {
  const from = new Date(Date.UTC(2026, 1, ++day)).toISOString().slice(0, 10);
  return { daterange: `${from}|2026-03-31` };
}

const addressOf = (parameters: Readonly<Record<string, string>>, exporter = 'generic', base = platform.baseUrl) =>
  `${base}/exports/${exporter}/?${query({ is_async: 'true', ...parameters })}`;
const listOf = async (token: string, parameters: Readonly<Record<string, string>> = {}) =>
  (await call(`${platform.baseUrl}/${LIST}?${query(parameters)}`, { token })).json as { count: number; results: { id: string }[] };

describe('identical requests', () => {
  it('forty concurrent ones through two gateways create one task and one file; other accounts get their own', async () => {
    const period = newPeriod();
    const before = (await listOf(tokens.admin)).count;
    const asked = Array.from({ length: 40 }, (_, n) =>
      askForTask(addressOf(period, 'generic', n % 2 === 0 ? platform.baseUrl : secondBase), tokens.admin),
    );
    const others = [tokens.other, tokens.leader].map((token) => askForTask(addressOf(period), token));
    const ids = new Set((await Promise.all(asked)).map(({ id }) => id));
    expect(ids.size).toBe(1);
    expect((await listOf(tokens.admin)).count).toBe(before + 1);
    const otherIds = (await Promise.all(others)).map(({ id }) => id);
    expect(new Set([...ids, ...otherIds]).size).toBe(3);
    const { target } = await finishedTask(addressOf(period), tokens.admin);
    expect((await download(target)).status).toBe(200);
    const { json } = await call(`${platform.baseUrl}/${LIST}${[...ids].join()}/`, { token: tokens.admin });
    expect(json).toMatchObject({ result: { file: expect.stringMatching(/\/1\.csv$/) } });
  });
});

describe('a file of a background export', () => {
  it.each([
    ['generic', { export_format: 'csv' }],
    ['generic', { export_format: 'json' }],
    ['generic', { export_format: 'table' }],
    ['generic', { export_format: 'plain', prefix: Buffer.from('Lohn\n').toString('base64') }],
    ['generic', { export_format: 'xlsx', response_only: 'true' }],
    ['generic', { export_format: 'csv:delimiter>;:decimal>,', types: 'workday:hours', columns: 'last-name|date|value' }],
    ['multi', { export_format: 'csv', config: '[{"title":"Stunden"},{"title":"Urlaub","types":["vacation:days"]}]' }],
    ['payroll_a', { export_format: 'csv' }],
  ])('equals the file of a synchronous export: %s %j', async (exporter, parameters) => {
    const { target } = await finishedTask(addressOf({ ...MARCH, ...parameters }, exporter), tokens.admin);
    const sync = await open(addressOf({ ...MARCH, ...parameters, is_async: 'false', response_only: 'true' }, exporter), {
      token: tokens.admin,
    });
    const file = await download(target);
    expect(file).toMatchObject({ status: 200, type: sync.headers['content-type'] });
    expect(file.body.equals(await buffer(sync))).toBe(true);
    expect(file.body.byteLength).toBeGreaterThan(0);
  });

  it('contains only what its owner may see', async () => {
    const { target } = await finishedTask(addressOf(MARCH), tokens.leader);
    expect((await download(target)).body.toString()).toBe('last-name,first-name,type,value\r\nAbel,Anna,credit-time:hours,24.5\r\n');
  });

  it('has a name and a URL that is valid for twelve hours', async () => {
    const { target } = await finishedTask(addressOf(MARCH), tokens.leader);
    const parameters = new URL(target).searchParams;
    expect(parameters.get('response-content-disposition')).toContain('generic-2026-03-01-2026-03-31.csv');
    expect(Number(parameters.get('X-Amz-Expires'))).toBeLessThanOrEqual(12 * 3600);
    expect(Number(parameters.get('X-Amz-Expires'))).toBeGreaterThan(12 * 3600 - 120);
    const { origin, pathname } = new URL(target);
    expect((await download(origin + pathname)).status).toBe(403);
  });
});

describe('an asynchronous request', () => {
  it('returns a task with status created, without file and end time', async () => {
    const answer = await call(addressOf(newPeriod()), { token: tokens.admin });
    expect(answer).toMatchObject({ status: 200, json: { finished_at: null, status: 'created', target: null } });
    expect(Object.keys(answer.json as ExportTask)).toEqual(['id', 'created_at', 'finished_at', 'status', 'target']);
    expect((answer.json as ExportTask).created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    expect(answer.headers).toMatchObject({ 'x-export-skipped': '1', 'cache-control': 'no-store' });
  });

  it('is validated before a task is created', async () => {
    const bad = { ...newPeriod(), export_format: 'xlsx', types: 'no:hours', employee_ids: org.id(99) };
    expect(await call(addressOf(bad), { token: tokens.admin })).toMatchObject({
      status: 400,
      json: { export_format: [expect.any(String)], types: [expect.any(String)], employee_ids: [expect.any(String)] },
    });
  });

  it('creates no task with HEAD', async () => {
    const address = addressOf(newPeriod());
    const before = (await listOf(tokens.admin)).count;
    expect(await call(address, { token: tokens.admin, method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect((await listOf(tokens.admin)).count).toBe(before);
  });
});

describe('the task endpoints', () => {
  it('show a task with its skipped employees to its owner and to nobody else', async () => {
    const { id, created_at, finished_at } = await finishedTask(addressOf(MARCH), tokens.admin);
    const detail = `${platform.baseUrl}/${LIST}${id}/`;
    const { json } = await call(detail, { token: tokens.admin });
    expect(json).toEqual({
      id,
      status: 'finished',
      label: 'Export generic, 01.03.2026 bis 31.03.2026',
      description: '2 Zeilen',
      action: 'generic_export',
      created_at,
      started_at: expect.any(String),
      finished_at,
      result: { file: expect.any(String), skipped: [{ id: org.id(CRON), name: 'Carla Cron', reason: 'archived' }] },
    });
    for (const token of [tokens.leader, tokens.other]) {
      for (const method of ['GET', 'DELETE']) expect(await call(detail, { token, method })).toMatchObject(NOT_FOUND);
      expect(await listOf(token, { ids: id })).toMatchObject({ count: 0, results: [] });
    }
  });

  it('list pages in the requested order', async () => {
    for (let n = 0; n < 3; n++) await askForTask(addressOf(newPeriod()), tokens.other);
    const list = `${platform.baseUrl}/${LIST}`;
    const first = await call(`${list}?limit=2`, { token: tokens.other });
    const { count, next, previous, results } = first.json as {
      count: number;
      next: string;
      previous: null;
      results: { created_at: string }[];
    };
    expect({ previous, length: results.length }).toEqual({ previous: null, length: 2 });
    expect(count).toBeGreaterThanOrEqual(3);
    expect((await call(next, { token: tokens.other })).json).toMatchObject({ count, previous: expect.stringContaining('offset=0') });
    expect(await call(`${list}?order=label`, { token: tokens.other })).toMatchObject({
      status: 400,
      json: { $query: ['"label" is not a valid ordering field.'] },
    });
  });
});

describe('deletion', () => {
  it('invalidates the URL of the file, and an identical request creates a new task', async () => {
    const address = addressOf(newPeriod());
    const { id, target } = await finishedTask(address, tokens.admin);
    expect((await download(target)).status).toBe(200);
    expect(await call(`${platform.baseUrl}/${LIST}${id}/`, { token: tokens.admin, method: 'DELETE' })).toMatchObject({
      status: 204,
      text: '',
    });
    expect((await download(target)).status).toBe(404);
    expect(await call(`${platform.baseUrl}/${LIST}${id}/`, { token: tokens.admin })).toMatchObject(NOT_FOUND);
    const again = await finishedTask(address, tokens.admin);
    expect(again.id).not.toBe(id);
    expect((await download(again.target)).status).toBe(200);
  });
});

describe('one asynchronous export', () => {
  it('is one trace through HTTP, gRPC, Redis, MongoDB, outbox, NATS and S3', async () => {
    const address = addressOf(newPeriod());
    await finishedTask(address, tokens.admin);
    const stored = await otlp.next(
      (span) => fits(span, { service: 'worker', kind: SpanKind.client, name: /PUT/ }) && isLatest(span.traceId),
    );
    const chain = await chainOf(otlp, stored.traceId, { service: 'worker', kind: SpanKind.client, name: /PUT/ }, [
      'gateway',
      'exports',
      'tasks',
      'worker',
    ]);
    expect(chain.at(-1)).toMatchObject({ service: 'gateway', kind: SpanKind.server });
    const edges = chain.map(({ service, kind }) => ({ service, kind }));
    expect(edges).toContainEqual({ service: 'tasks', kind: SpanKind.producer });
    expect(edges).toContainEqual({ service: 'worker', kind: SpanKind.consumer });
    const reading = { service: 'records', kind: SpanKind.server, name: /ReadTimeRecords/ };
    await chainOf(otlp, stored.traceId, reading, ['gateway', 'exports', 'tasks', 'worker', 'records']);
    await chainOf(otlp, stored.traceId, { service: 'tasks', scope: /mongodb/ }, ['gateway', 'exports', 'tasks']);
    await chainOf(otlp, stored.traceId, { service: 'gateway', scope: /ioredis/ }, ['gateway']);
  });

  /** Selects the trace of this test: its root is the last one that started a task. */
  function isLatest(traceId: string): boolean {
    const started = otlp.spans.filter((span) => fits(span, { service: 'tasks', kind: SpanKind.server, name: /StartExport/ }));
    return started.at(-1)?.traceId === traceId;
  }

  it('discloses no URL signature in spans and logs', async () => {
    const { target } = await finishedTask(addressOf(MARCH), tokens.admin);
    const signature = new URL(target).searchParams.get('X-Amz-Signature') ?? '';
    expect(signature).toHaveLength(64);
    await waitFor(() => otlp.spans.some(({ service }) => service === 'tasks'));
    expect(JSON.stringify(otlp.spans)).not.toContain(signature);
    expect(JSON.stringify(otlp.spans)).not.toMatch(/X-Amz-Signature=[0-9a-f]/);
  });
});
