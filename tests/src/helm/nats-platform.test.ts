import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus, type Bus } from '@stechuhr/bus';
import { ingestSubject } from '@stechuhr/contracts';
import { topology } from '@stechuhr/local';
import { startServiceProcess, waitFor } from '@stechuhr/testing';
import { parse } from 'yaml';
import { entryLine } from '../support/daily-reports.js';
import { judgeEvents } from '../support/event-schemas.js';
import { call, query, type Answer } from '../support/http.js';
import { Organization } from '../support/organization.js';
import { startTestPlatform, type TestPlatform } from '../support/platform.js';
import { sampleOrganization } from '../support/sample-organization.js';
import { download, finishedTask } from '../support/tasks.js';
import { startChartNats, type ChartNats } from './chart-nats.js';

const sample = sampleOrganization(61);
const { org } = sample;
const stranger = new Organization(62);
const SITE = 41;
const VALUES = fileURLToPath(new URL('../../../helm/stechuhr/ci/development.yaml', import.meta.url));
const MONTH = { daterange: '2026-10-01|2026-10-31', types: 'work-time:hours', columns: 'last-name|value' };
const PRODUCERS = ['absence-rules', 'daily-reports', 'exports', 'gateway', 'records', 'reviews', 'tasks'];
const REVIEWS = fileURLToPath(new URL('../../../services/reviews/dist/main.js', import.meta.url));
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

let nats: ChartNats;
let platform: TestPlatform;
let erp: Bus;
let token: string;

/** Every service with the user that the chart gives it, the command line with that of the toolbox, and a publisher of the institution. */
beforeAll(async () => {
  const values = parse(readFileSync(VALUES, 'utf8')) as { readonly nats: object };
  nats = await startChartNats({ ...values, nats: { ...values.nats, publishers: [{ user: 'erp', institution: org.id(0) }] } });
  const services = Object.fromEntries(topology.map(({ name }) => [name, { NATS_URL: nats.urls[name] ?? 'missing' }]));
  const cli = { NATS_URL: nats.urls['toolbox'] ?? 'missing' };
  platform = await startTestPlatform({}, ['tasks', 'worker', 'daily-reports'], { services, cli });
  expect(await platform.importLines(sample.lines)).toMatchObject({ rejected: [] });
  token = await platform.issueToken(sample.admin);
  erp = await connectBus({ servers: nats.urlOf('erp'), name: 'erp', logger: silent });
}, 300_000);
afterAll(async () => {
  await erp.close();
  await platform.stop();
  await nats.stop();
}, 60_000);

const get = (path: string, parameters: Readonly<Record<string, string>>): Promise<Answer> =>
  call(`${platform.baseUrl}/${path}?${query(parameters)}`, { token });
const post = (path: string, body: object): Promise<Answer> =>
  call(`${platform.baseUrl}/${path}`, {
    method: 'POST',
    token,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

/** What the server has refused, by its own account. */
const refused = (): string[] =>
  nats
    .log()
    .split('\n')
    .filter((line) => /violation|authorization|authentication/i.test(line));

describe('the platform with the bus of the chart', () => {
  it('exports at once and in the background', async () => {
    expect(await get('exports/generic/', { ...MONTH, response_only: 'true' })).toMatchObject({
      status: 200,
      text: expect.stringContaining('Abel'),
    });
    const { target } = await finishedTask(`${platform.baseUrl}/exports/generic/?${query({ ...MONTH, is_async: 'true' })}`, token);
    expect((await download(target)).body.toString()).toContain('Abel');
  }, 60_000);

  it('reviews, and takes a rule of absence', async () => {
    expect(await get('reviews/reviews/', { year: '2026', month: '10' })).toMatchObject({ status: 200 });
    const rule = { employee_id: sample.employee, label: 'Umzug', missing_type: 'vacation', amount: '1.00', priority: 5 };
    const dates = { available_from: '2026-02-01', expires_at: '2026-12-31' };
    expect(await post('timestamps/absence-rules/', { ...rule, ...dates })).toMatchObject({ status: 201 });
  });

  it('takes an entry of a daily report from the institution’s own system, live', async () => {
    const entry = entryLine(org, 0x91, { project: SITE, date: sample.day, author: 1 }, { field_id: 'comments', value: 'Kran abgebaut' });
    await erp.publish(ingestSubject(org.id(0), 'daily_report_entry'), JSON.stringify(entry));
    const found = await waitFor(async () => {
      const { json } = await get('daily-reports/entries/', { tags: org.id(SITE), daterange: `${sample.day}|${sample.day}` });
      const { results } = json as { readonly results: readonly { readonly value?: string }[] };
      return results.find(({ value }) => value === 'Kran abgebaut');
    });
    expect(found).toBeDefined();
  }, 30_000);

  it('takes a deletion through all services that have to do with it', async () => {
    const rules = async (): Promise<number> => {
      const { json } = await get('timestamps/absence-rules/', { employee_ids: sample.employee });
      return (json as { readonly count: number }).count;
    };
    const deletion = { kind: 'employee', institution_id: org.id(0), id: sample.employee, deleted: true };
    await erp.publish(ingestSubject(org.id(0), 'employee'), JSON.stringify(deletion));
    await waitFor(async () => (await rules()) === 0, { timeoutMs: 30_000 });
  }, 60_000);

  it('has told of all of it on the bus, and the server has refused nobody', async () => {
    await waitFor(async () => {
      const { exitCode, stdout } = await platform.cli(['outbox', 'status', '--json']);
      return exitCode === 0 && stdout.includes('daily-reports') && !/"documents":\s*[1-9]/.test(stdout);
    });
    const { stdout } = await platform.cli(['events', 'replay', '--institution', org.id(0)]);
    const { types, problems } = judgeEvents(stdout);
    expect(problems).toEqual([]);
    expect([...new Set(types.map((type) => type.split('.')[0]))].sort()).toEqual([...PRODUCERS].sort());
    expect(refused()).toEqual([]);
  }, 60_000);

  it('refuses the publisher what is another institution’s', async () => {
    await expect(erp.publish(ingestSubject(stranger.id(0), 'employee'), '{}')).rejects.toMatchObject({ code: 'unavailable' });
    expect(refused()).toEqual([expect.stringMatching(/user:erp.* - Publish Violation - Subject "stechuhr\.ingest\./)]);
  }, 30_000);

  it('refuses a service that comes with another one’s user', async () => {
    const known = refused().length;
    const { records } = platform.run.services;
    const impostor = await startServiceProcess({
      main: REVIEWS,
      env: {
        ...{ MONGODB_URL: platform.infra.mongodbUrl, MONGODB_DATABASE: 'stechuhr_impostor', NATS_URL: nats.urls['tasks'] ?? '' },
        ...{ RECORDS_ADDRESS: records?.grpc ?? '' },
      },
    });
    await waitFor(() => refused().length > known);
    await impostor.stop();
    const said = refused().slice(known);
    expect(said.filter((line) => !line.includes('reviews-'))).toEqual([]);
    expect(said.join()).toMatch(/user:tasks.* - Publish Violation - Subject "\$JS\.API\.CONSUMER\.\S*reviews-/);
  }, 60_000);
});
