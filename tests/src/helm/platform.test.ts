import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus, type Bus } from '@stechuhr/bus';
import { browseV1, callersOf, commonV1, ingestSubject, recordsV1, streams } from '@stechuhr/contracts';
import { topology } from '@stechuhr/local';
import { status } from '@grpc/grpc-js';
import { connectMongo } from '@stechuhr/mongo';
import { callUnary, createGrpcClient, readStream } from '@stechuhr/service';
import { startServiceProcess, waitFor } from '@stechuhr/testing';
import { parse } from 'yaml';
import { entryLine } from '../support/daily-reports.js';
import { walkOf } from '../generated-clients/walk.js';
import type { OpenApiDocument } from '../support/document-schemas.js';
import { judgeEvents } from '../support/event-schemas.js';
import { call, query, type Answer } from '../support/http.js';
import { operationClient } from '../support/operation-client.js';
import { Organization } from '../support/organization.js';
import { startTestPlatform, WITH_TELEMETRY, type TestPlatform } from '../support/platform.js';
import { sampleOrganization } from '../support/sample-organization.js';
import { runSubscriber } from '../support/subscriber.js';
import { download, finishedTask } from '../support/tasks.js';
import { forThisMachine, mountCertificate, variableOf } from './chart-identities.js';
import { startChartMongo, type ChartMongo } from './chart-mongo.js';
import { startChartNats, type ChartNats } from './chart-nats.js';
import { openChart } from './chart.js';
import { pathsOf, tryAll } from './grpc-matrix.js';

const sample = sampleOrganization(61);
const { org } = sample;
const stranger = new Organization(62);
const SITE = 41;
const VALUES = fileURLToPath(new URL('../../../helm/stechuhr/ci/development.yaml', import.meta.url));
const MONTH = { daterange: '2026-10-01|2026-10-31', types: 'work-time:hours', columns: 'last-name|value' };
const PRODUCERS = ['absence-rules', 'daily-reports', 'exports', 'gateway', 'records', 'reviews', 'tasks', 'webhooks'];
const REVIEWS = fileURLToPath(new URL('../../../services/reviews/dist/main.js', import.meta.url));
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

let folder: string;
let nats: ChartNats;
let mongo: ChartMongo;
let platform: TestPlatform;
let erp: Bus;
let token: string;

/**
 * Starts every service with the users of NATS and MongoDB, certificate and allowed callers of the chart; the command line with the settings of the toolbox;
 * and a publisher of the institution.
 */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stechuhr-release-'));
  const values = parse(readFileSync(VALUES, 'utf8')) as { readonly nats: object };
  const chart = await openChart(forThisMachine, { hasRealKeys: true });
  const release = await chart.render({
    ...values,
    mtls: { requireGrants: true },
    nats: { ...values.nats, publishers: [{ user: 'erp', institution: org.id(0) }] },
  });
  await chart.close();
  nats = await startChartNats(release);
  mongo = await startChartMongo(release);
  const identityOf = (name: string): Record<string, string> => ({
    NATS_URL: nats.urls[name] ?? 'missing',
    // The toolbox issues tokens, so it has the user of the gateway.
    MONGODB_URL: mongo.urls[name === 'toolbox' ? 'gateway' : name] ?? 'missing',
    GRPC_TLS_FOLDER: mountCertificate(release, name, folder),
  });
  const services = Object.fromEntries(
    topology.map(({ name, provisionsBus = false }) => {
      const variables = ['GRPC_ALLOWED_CALLERS', 'GRPC_REQUIRE_GRANTS', 'NATS_SUBSCRIBERS'].map((variable) => [
        variable,
        variableOf(release, name, variable),
      ]);
      const provisioning = provisionsBus ? { NATS_PROVISIONING_URL: nats.urls['provisioner'] ?? 'missing' } : {};
      const given = variables.filter((variable): variable is [string, string] => variable[1] !== undefined);
      return [name, { ...identityOf(name), ...provisioning, ...Object.fromEntries(given) }];
    }),
  );
  platform = await startTestPlatform(WITH_TELEMETRY, ['tasks', 'worker', 'daily-reports', 'webhooks'], {
    services,
    cli: identityOf('toolbox'),
    mongodb: mongo.address,
  });
  expect(await platform.importLines(sample.lines)).toMatchObject({ rejected: [] });
  token = await platform.issueToken(sample.admin);
  erp = await connectBus({ servers: nats.urlOf('erp'), name: 'erp', logger: silent });
});
afterAll(async () => {
  await erp.close();
  await platform.stop();
  await nats.stop();
  await mongo.stop();
  rmSync(folder, { recursive: true });
});

const get = (path: string, parameters: Readonly<Record<string, string>>): Promise<Answer> =>
  call(`${platform.baseUrl}/${path}?${query(parameters)}`, { token });
const post = (path: string, body: object): Promise<Answer> =>
  call(`${platform.baseUrl}/${path}`, {
    method: 'POST',
    token,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

/** Returns the rejections in the log of the NATS server. */
const refused = (): string[] =>
  nats
    .log()
    .split('\n')
    .filter((line) => /violation|authorization|authentication/i.test(line));

describe('the platform with the settings of the chart', () => {
  it('exports synchronously and in the background', async () => {
    expect(await get('exports/generic/', { ...MONTH, response_only: 'true' })).toMatchObject({
      status: 200,
      text: expect.stringContaining('Abel'),
    });
    const { target } = await finishedTask(`${platform.baseUrl}/exports/generic/?${query({ ...MONTH, is_async: 'true' })}`, token);
    expect((await download(target)).body.toString()).toContain('Abel');
  });

  it('answers every operation of the API, with grants between services', async () => {
    await finishedTask(`${platform.baseUrl}/exports/generic/?${query({ daterange: MONTH.daterange, is_async: 'true' })}`, token);
    const document = (await call(`${platform.baseUrl}/openapi.json`)).json as OpenApiDocument;
    const client = operationClient(document, { baseUrl: platform.baseUrl, token });
    const ids = new Map<string, string>();
    const filled = (value: string): string => value.replace(/^\{(\w+)\}$/, (_, name: string) => ids.get(name) ?? 'unknown');
    for (const { operation, status: expected, path = {}, keep, ...given } of walkOf(sample)) {
      const places = Object.fromEntries(Object.entries(path).map(([name, value]) => [name, filled(value)]));
      // On a busy machine connecting may time out, so requests are repeated.
      const { response, data, error } = await waitFor(async () => {
        const answered = await client.call(operation, { ...given, path: places });
        return answered.response.status !== 503 && answered;
      });
      expect([operation, response.status, error]).toEqual([operation, expected, expected < 400 ? undefined : expect.anything()]);
      const { id, results } = (data ?? {}) as { readonly id?: string; readonly results?: readonly { readonly id: string }[] };
      if (keep !== undefined) ids.set(keep, id ?? results?.[0]?.id ?? 'nothing');
    }
  });

  it('exports balances, and bundles reports in the background', async () => {
    const balances = { ...MONTH, types: 'vacation-remaining:days', response_only: 'true' };
    expect(await get('exports/generic/', balances)).toMatchObject({ status: 200, text: expect.stringContaining('Abel') });
    const day = { date_from: sample.day, date_to: sample.day };
    const asked = await post('daily-reports/reports/bundles/', { ...day, projects: [sample.project], status: ['draft'] });
    const path = `asynchronous-tasks/tasks/${(asked.json as { readonly id: string }).id}/`;
    const ended = await waitFor(async () => {
      const { json } = await get(path, {});
      const { status: state } = json as { readonly status: string };
      return ['finished', 'error'].includes(state) && state;
    });
    expect(ended).toBe('finished');
  });

  it('works with the operators’ command line', async () => {
    const month = ['--daterange', MONTH.daterange, '--param', `types=${MONTH.types}`, '--param', 'columns=last-name|value'];
    const { exitCode, stdout } = await platform.cli(['export', 'generic', '--account', sample.admin, ...month, '--output', '-']);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Abel')]);
  });

  it('runs a review, and creates an absence rule', async () => {
    expect(await get('reviews/reviews/', { year: '2026', month: '10' })).toMatchObject({ status: 200 });
    const rule = { employee_id: sample.employee, label: 'Umzug', missing_type: 'vacation', amount: '1.00', priority: 5 };
    const dates = { available_from: '2026-02-01', expires_at: '2026-12-31' };
    expect(await post('timestamps/absence-rules/', { ...rule, ...dates })).toMatchObject({ status: 201 });
  });

  it('accepts an entry of a daily report as a live object from a system of the institution', async () => {
    const entry = entryLine(org, 0x91, { project: SITE, date: sample.day, author: 1 }, { field_id: 'comments', value: 'Kran abgebaut' });
    await erp.publish(ingestSubject(org.id(0), 'daily_report_entry'), JSON.stringify(entry));
    const found = await waitFor(async () => {
      const { json } = await get('daily-reports/entries/', { tags: org.id(SITE), daterange: `${sample.day}|${sample.day}` });
      const { results } = json as { readonly results: readonly { readonly value?: string }[] };
      return results.find(({ value }) => value === 'Kran abgebaut');
    });
    expect(found).toBeDefined();
  });

  it('sends events to a webhook, such as its creation', async () => {
    const body = JSON.stringify({ url: 'https://name.invalid/' });
    const headers = { 'content-type': 'application/json' };
    const created = await call(`${platform.baseUrl}/webhooks/`, { method: 'POST', token, body, headers });
    expect(created.status).toBe(201);
    const { id } = created.json as { readonly id: string };
    await waitFor(async () => (await get(`webhooks/${id}/deliveries/`, {})).text.includes('webhooks.webhook.created'));
  });

  it('executes a deletion in all affected services', async () => {
    const rules = async (): Promise<number> => {
      const { json } = await get('timestamps/absence-rules/', { employee_ids: sample.employee });
      return (json as { readonly count: number }).count;
    };
    const deletion = { kind: 'employee', institution_id: org.id(0), id: sample.employee, deleted: true };
    await erp.publish(ingestSubject(org.id(0), 'employee'), JSON.stringify(deletion));
    await waitFor(async () => (await rules()) === 0);
  });

  it('has published all events, and the NATS server has rejected nothing', async () => {
    await waitFor(async () => {
      const { exitCode, stdout } = await platform.cli(['outbox', 'status', '--json']);
      return exitCode === 0 && stdout.includes('daily-reports') && !/"documents":\s*[1-9]/.test(stdout);
    });
    const { stdout } = await platform.cli(['events', 'replay', '--institution', org.id(0)]);
    const { types, problems } = judgeEvents(stdout);
    expect(problems).toEqual([]);
    expect([...new Set(types.map((type) => type.split('.')[0]))].sort()).toEqual([...PRODUCERS].sort());
    expect(refused()).toEqual([]);
  });

  it('rejects an object of another institution from the publisher', async () => {
    await expect(erp.publish(ingestSubject(stranger.id(0), 'employee'), '{}')).rejects.toMatchObject({ code: 'unavailable' });
    expect(refused()).toEqual([expect.stringMatching(/user:erp.* - Publish Violation - Subject "stechuhr\.ingest\./)]);
  });

  it('rejects a service with the NATS user of another service', async () => {
    const known = refused().length;
    const { records } = platform.run.services;
    const impostor = await startServiceProcess({
      main: REVIEWS,
      env: {
        ...{ MONGODB_URL: mongo.urls['reviews'] ?? '', NATS_URL: nats.urls['tasks'] ?? '' },
        ...{ RECORDS_ADDRESS: records?.grpc ?? '', GRPC_TLS_FOLDER: join(folder, 'reviews') },
      },
    });
    await waitFor(() => refused().length > known);
    await impostor.stop();
    const said = refused().slice(known);
    // It also asks for the partitions of its queue.
    expect(said.filter((line) => !line.includes('reviews-') && !line.includes(`STREAM.INFO.${streams.handovers.name}`))).toEqual([]);
    expect(said.join()).toMatch(/user:tasks.* - Publish Violation - Subject "\$JS\.API\.CONSUMER\.\S*reviews-/);
  });

  it('rejects a service at the database of another service', async () => {
    if (!mongo.hasUsers) return;
    const found = async (database: string): Promise<unknown> => {
      const { connection, close } = await connectMongo({ url: mongo.urls['tasks'] ?? '', database, logger: silent });
      return connection.collection('accounts').countDocuments().finally(close);
    };
    await expect(found('stechuhr_tasks')).resolves.toBe(0);
    await expect(found('stechuhr_records')).rejects.toMatchObject({ codeName: 'Unauthorized' });
  });

  it('answers intended callers, and rejects other services and callers without a certificate', async () => {
    const ask = async (caller: string | undefined): Promise<unknown> => {
      const tlsFolder = caller === undefined ? undefined : join(folder, caller);
      const client = createGrpcClient(recordsV1.RecordsServiceClient, platform.run.services['records']?.grpc ?? '', {
        identity: { tlsFolder },
      });
      const request = recordsV1.GetAccountRequest.fromPartial({ accountId: sample.admin });
      return callUnary(client, client.getAccount, request, { deadlineMs: 60_000 }).finally(() => client.close());
    };
    await expect(ask('gateway')).resolves.toMatchObject({ account: { id: sample.admin } });
    await expect(ask('tasks')).rejects.toMatchObject({ cause: { code: status.PERMISSION_DENIED } });
    await expect(ask(undefined)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('rejects a call for an institution without a grant', async () => {
    const ask = async (caller: string): Promise<unknown> => {
      const client = createGrpcClient(recordsV1.RecordsServiceClient, platform.run.services['records']?.grpc ?? '', {
        identity: { tlsFolder: join(folder, caller) },
        connectMs: 20_000,
      });
      const seen = { institutionId: org.id(0), accountId: sample.admin, visibility: { role: commonV1.Role.ROLE_ADMIN, departmentIds: [] } };
      const employees: string[] = [];
      try {
        const request = recordsV1.ListEmployeesRequest.fromPartial({ caller: seen });
        for await (const page of readStream(client, client.listEmployees, request)) employees.push(...page.employees.map(({ id }) => id));
        return employees;
      } finally {
        client.close();
      }
    };
    // The worker needs no grant, because it works for stored tasks.
    expect(await ask('worker')).toBeInstanceOf(Array);
    await expect(ask('exports')).rejects.toMatchObject({
      cause: { code: status.PERMISSION_DENIED, details: 'exports may not ask for the institution: no grant came with it.' },
    });
  });

  it('lists records of a group only for services that need them', async () => {
    const { RecordGroup } = browseV1;
    const list = async (caller: string, group: browseV1.RecordGroup): Promise<unknown> => {
      const client = createGrpcClient(browseV1.BrowseServiceClient, platform.run.services['records']?.grpc ?? '', {
        identity: { tlsFolder: join(folder, caller) },
      });
      const seen = { institutionId: org.id(0), accountId: sample.admin, visibility: { role: commonV1.Role.ROLE_ADMIN, departmentIds: [] } };
      const request = browseV1.ListRecordsRequest.fromPartial({ caller: seen, group, limit: 10 });
      try {
        for await (const { count } of readStream(client, client.listRecords, request)) return count;
        return undefined;
      } finally {
        client.close();
      }
    };
    expect(await list('daily-reports', RecordGroup.RECORD_GROUP_PROJECTS)).toBeGreaterThan(0);
    await expect(list('daily-reports', RecordGroup.RECORD_GROUP_WORKDAYS)).rejects.toMatchObject({
      code: 'forbidden',
      message: 'daily-reports may not list workdays.',
    });
    expect(await list('gateway', RecordGroup.RECORD_GROUP_WORKDAYS)).toBeDefined();
  });

  it('accepts calls of each method only with the certificates in the table of rights', async () => {
    const callers = [...topology.map(({ name }) => name), 'toolbox'];
    const asked = topology.filter(({ serves }) => serves === 'grpc').flatMap(({ name }) => callers.map((caller) => ({ name, caller })));
    const verdicts = await Promise.all(
      asked.map(({ name, caller }) => {
        return tryAll(caller, join(folder, caller), platform.run.services[name]?.grpc ?? '', pathsOf(name));
      }),
    );
    const rows = verdicts.flat();
    expect(new Set(rows.map(({ caller }) => caller)).size).toBe(topology.length + 1);
    expect(rows.filter(({ path, caller, refused }) => (refused === undefined) !== callersOf(path).includes(caller))).toEqual([]);
    expect(rows.find(({ path, caller }) => caller === 'daily-reports' && path.endsWith('RecordsService/Import'))?.refused).toBe(
      'daily-reports may not call stechuhr.records.v1.RecordsService/Import.',
    );
  });
});

describe('tasks, which manages the consumers of subscribers', () => {
  it('exports metrics of the progress of subscribers of other teams', async () => {
    const subscribersOf = async (): Promise<readonly string[]> => {
      const text = await (await fetch(`http://${platform.run.services['tasks']?.admin ?? ''}/metrics`)).text();
      return text.split('\n').filter((line) => /^stechuhr_bus_(lag|place)\{durable="subscriber-payroll-mirror"/.test(line));
    };
    const value = (lines: readonly string[], name: string): number =>
      Number(
        lines
          .find((line) => line.startsWith(name))
          ?.split(' ')
          .at(-1),
      );
    const before = await waitFor(async () => {
      const lines = await subscribersOf();
      return value(lines, 'stechuhr_bus_lag') > 0 && lines;
    });
    expect(value(before, 'stechuhr_bus_place')).toBe(0);
    const { host, password } = new URL(nats.urlOf('payroll-mirror'));
    const { child } = runSubscriber({ NATS_URL: host, NATS_USER: 'payroll-mirror', NATS_PASSWORD: password });
    try {
      const after = await waitFor(async () => {
        const lines = await subscribersOf();
        return value(lines, 'stechuhr_bus_lag') === 0 && lines;
      });
      expect(value(after, 'stechuhr_bus_place')).toBeGreaterThan(0);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
