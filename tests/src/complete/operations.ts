import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@stechuhr/testing';
import { Organization } from '../support/organization.js';
import { waitingIn } from '../support/outboxes.js';
import { runCli } from '../support/platform.js';
import { platform } from './platform.js';

const org = new Organization(31);
const [ADMIN, ABEL] = [1, 21];
const EXPORT = ['export', 'generic', '--daterange', '2026-03-01|2026-03-31', '--param', 'types=work-time:hours'];
const file = join(tmpdir(), `stechuhr-operations-${String(process.pid)}.csv`);

let token: string;

beforeAll(async () => {
  const lines = [
    org.institution(),
    org.account(ADMIN, 'admin'),
    org.employee(ABEL, 'Anna', 'Abel'),
    org.contract(31, ABEL),
    org.shift(41, ABEL, { date: '2026-03-02', start: '08:00', end: '16:30' }),
  ];
  expect(await platform.importLines(lines)).toMatchObject({ rejected: [] });
  token = await platform.issueToken(org.id(ADMIN));
});
afterAll(() => rm(file, { force: true }));

interface Shown {
  readonly id: string;
  readonly status: string;
}

async function run<T>(...args: string[]): Promise<{ exitCode: number; value: T; stderr: string }> {
  const { exitCode, stdout, stderr } = await platform.cli([...args, '--json']);
  return { exitCode, value: (stdout === '' ? undefined : JSON.parse(stdout)) as T, stderr };
}

describe('export --async and tasks', () => {
  it('run in the background, and can be listed, shown and deleted', async () => {
    const args = [...EXPORT, '--account', org.id(ADMIN), '--async', '--output', file];
    const first = await run<{ file: string; task_id: string }>(...args);
    expect(first).toMatchObject({ exitCode: 0, value: { file, skipped: [], task_id: expect.any(String) } });
    expect(await readFile(file, 'utf8')).toContain('Abel');
    const again = await run<{ task_id: string }>(...args);
    expect(again.value.task_id).toBe(first.value.task_id);
    expect(again.stderr).toContain('exists already');

    const tokenFile = join(platform.home, 'token');
    await writeFile(tokenFile, `${token}\n`);
    const { value: tasks, stderr } = await run<Shown[]>('tasks', 'list', '--token-file', tokenFile);
    expect(stderr).not.toContain('--token');
    expect(tasks).toMatchObject([{ id: first.value.task_id, status: 'finished', action: 'generic_export', skipped: [] }]);
    const shown = await run('tasks', 'show', first.value.task_id, '--token', token);
    expect(shown).toMatchObject({ exitCode: 0, value: tasks[0], stderr: expect.stringContaining('prefer --token-file') });
    expect(await run('tasks', 'delete', first.value.task_id, '--token', token)).toMatchObject({ exitCode: 0 });
    expect(await run('tasks', 'show', first.value.task_id, '--token', token)).toMatchObject({ exitCode: 1, value: undefined });
    expect((await run('tasks', 'list', '--token', token)).value).toEqual([]);
  });
});

describe('doctor', () => {
  it('reports a healthy platform as healthy, with every component', async () => {
    const { exitCode, value } = await run<{ name: string; state: string }[]>('doctor');
    expect(value.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(exitCode).toBe(0);
    const names = [
      'Node.js',
      'MongoDB',
      'Redis',
      'NATS',
      'consumers',
      'dead letters',
      'records stores',
      'webhooks stores',
      'gateway stores',
      'file store',
      'records',
      'worker',
      'gateway',
      'API',
    ];
    expect(value.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });

  it('needs only the environment of the chart’s toolbox, because a pod has no run.json', async () => {
    const { services, infra, base_url: url } = platform.run;
    const named = Object.entries(services);
    const addresses = named.flatMap(([name, { grpc }]) =>
      grpc === null ? [] : [[`${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`, grpc]],
    );
    const variables = {
      ...Object.fromEntries(addresses),
      MONGODB_URL: infra.mongodb,
      GATEWAY_DATABASE: platform.gatewayDatabase,
      NATS_URL: platform.infra.natsUrl,
      REDIS_URL: infra.redis,
      S3_ENDPOINT: infra.s3.endpoint,
      STECHUHR_URL: url,
      ADMIN_ADDRESSES: named.map(([name, { admin }]) => `${name}=${admin}`).join(','),
      STECHUHR_HOME: join(platform.home, 'nowhere'),
    };
    const { exitCode, stdout } = await runCli(['doctor', '--json'], variables, []);
    expect((JSON.parse(stdout) as { state: string }[]).filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(exitCode).toBe(0);
  });

  it('advises what to do about problems', async () => {
    await platform.service('reviews').kill('SIGKILL');
    const { exitCode, stdout } = await platform.cli(['doctor']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/✗ reviews +does not answer at .*\n {2}→ Start reviews/u);
    expect((await platform.cli(['outbox', 'status'])).stdout).toContain('reviews: ');
    await platform.service('reviews').restart();
  });
});

describe('outbox status', () => {
  it('counts waiting documents by service and store', async () => {
    const { exitCode, value } = await run<{ service: string; outboxes: { store: string; documents: number }[] }[]>('outbox', 'status');
    expect(exitCode).toBe(0);
    const stores = value.flatMap(({ service, outboxes }) => outboxes.map(({ store }) => `${service}/${store}`));
    expect(stores).toEqual(expect.arrayContaining(['records/employees', 'records/workmonths', 'tasks/tasks', 'gateway/tokens']));
  });

  it('shows waiting documents while NATS is unavailable, and none after it has returned', async () => {
    await platform.infra.servers.nats.kill();
    await platform.importLines([org.employee(ABEL, 'Anna', 'Abel-Berg')]);
    expect(await waitingIn(platform, 'employees')).toBe(1);
    expect((await platform.cli(['doctor'])).stdout).toMatch(/✗ NATS/u);
    await platform.infra.servers.nats.restart();
    await waitFor(async () => (await waitingIn(platform, 'employees')) === 0);
  });
});
