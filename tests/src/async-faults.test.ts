import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@stechuhr/testing';
import { extractText, getDocumentProxy } from 'unpdf';
import { commentLine } from './support/daily-reports.js';
import { call, query } from './support/http.js';
import { readLogs } from './support/logs.js';
import { Organization } from './support/organization.js';
import { startTestPlatform, type TestPlatform } from './support/platform.js';
import { askForTask, download, finishedTask } from './support/tasks.js';

const org = new Organization(12);
const ADMIN = 1;
const EMPLOYEES = Array.from({ length: 80 }, (_, n) => 100 + n);
const DAYS = Array.from({ length: 28 }, (_, day) => `2026-02-${String(day + 1).padStart(2, '0')}`);
const ROWS = EMPLOYEES.length * DAYS.length;
const [SITE, FORM] = [2, 3];
const COMMENTS = { id: 'comments', type: 'string', label: 'Bemerkungen' };
const remarkOf = (date: string): string => `Beton am ${date}`;
/** A query with rows that take a while. */
const WIDE = Array.from({ length: 150 }, (_, n) => `employee-id:as>id${n}`).join('|');

const lines = [
  org.institution(),
  org.account(ADMIN, 'admin'),
  ...EMPLOYEES.map((employee) => org.employee(employee, 'Kim', `Nr${employee}`)),
  ...EMPLOYEES.flatMap((employee) =>
    DAYS.map((date, day) => org.shift(employee * 100 + day, employee, { date, start: '08:00', end: '16:00' })),
  ),
  org.project(SITE, 'S-1'),
  { kind: 'daily_report_form', id: org.id(FORM), institution_id: org.id(0), valid_from: '2026-01-01', fields: [COMMENTS] },
  ...DAYS.map((date, day) => commentLine(org, 0x90_000 + day, { project: SITE, date, author: ADMIN }, remarkOf(date))),
];

let platform: TestPlatform;
let token: string;

beforeAll(async () => {
  platform = await startTestPlatform({ JOB_LEASE_SECONDS: '3' }, ['tasks', 'worker', 'daily-reports']);
  expect(await platform.importLines(lines)).toMatchObject({ rejected: [] });
  token = await platform.issueToken(org.id(ADMIN));
});
afterAll(() => platform.stop());

let exportsSoFar = 0;
function newAddress(): string {
  const parameters = { daterange: '2026-02-01|2026-02-28', types: 'workday:hours', columns: `last-name|date|value|${WIDE}` };
  const header = `value:as>run${String(++exportsSoFar)}`;
  return `${platform.baseUrl}/exports/generic/?${query({ ...parameters, columns: `${parameters.columns}|${header}`, is_async: 'true' })}`;
}

/** Whatever happened, the file is complete, and it is the one that the task refers to. */
async function expectWholeFile(address: string): Promise<void> {
  const { id, target } = await finishedTask(address, token);
  const { status, body } = await download(target);
  expect(status).toBe(200);
  expect(body.toString().split('\r\n')).toHaveLength(ROWS + 2);
  // After an outage, the gateway may need slightly longer than exports to reach a service again.
  const { json } = await waitFor(async () => {
    const answer = await call(`${platform.baseUrl}/asynchronous-tasks/tasks/${id}/`, { token });
    return answer.status === 200 && answer;
  });
  const { file } = (json as { result: { file: string } }).result;
  expect(new URL(target).pathname).toBe(`/${platform.run.infra.s3.bucket}/${file}`);
}

/** Starts three exports concurrently; two of them run and the third one waits. */
async function startExports(): Promise<readonly string[]> {
  const addresses = Array.from({ length: 3 }, newAddress);
  await Promise.all(addresses.map((address) => askForTask(address, token)));
  const isRunning = async (address: string) => (await askForTask(address, token)).status === 'in_progress';
  await waitFor(async () => (await Promise.all(addresses.map(isRunning))).includes(true));
  return addresses;
}

async function failedTries(): Promise<number> {
  const log = (await readLogs(platform.home)).get('worker.log') ?? '';
  return log.split('a job waits for an unavailable dependency').length - 1;
}

const servers = () => platform.infra.servers;

const FAULTS: Readonly<Record<string, () => Promise<void>>> = {
  'the worker': async () => {
    await platform.service('worker').kill('SIGKILL');
    await platform.service('worker').restart();
  },
  'the tasks service': async () => {
    await platform.service('tasks').kill('SIGKILL');
    await platform.service('tasks').restart();
  },
  records: async () => {
    await platform.service('records').kill('SIGKILL');
    await platform.service('records').restart();
  },
  NATS: async () => {
    await servers().nats.kill();
    await servers().nats.restart();
  },
};

describe('kill -9', () => {
  it.each(Object.keys(FAULTS))('of %s loses no export and produces no incomplete file', async (name) => {
    const addresses = await startExports();
    await FAULTS[name]?.();
    for (const address of addresses) await expectWholeFile(address);
  });
});

describe('while the object store is down', () => {
  it('exports wait, and finish when it is back', async () => {
    await servers().s3.kill();
    const addresses = await startExports();
    await waitFor(async () => (await failedTries()) >= 2 * addresses.length);
    for (const address of addresses) expect(['created', 'in_progress']).toContain((await askForTask(address, token)).status);
    await servers().s3.restart();
    for (const address of addresses) await expectWholeFile(address);
  });
});

describe('a bundle of daily reports', () => {
  /** Checks that a file contains every report once. */
  async function expectWholeBundle(bytes: Uint8Array): Promise<void> {
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
    expect(DAYS.map((date) => text.split(remarkOf(date)).length - 1)).toEqual(DAYS.map(() => 1));
  }

  const ask = (status: readonly string[] | null) => {
    const body = { date_from: DAYS[0], date_to: DAYS.at(-1), projects: [org.id(SITE)], status };
    const headers = { 'content-type': 'application/json' };
    return call(`${platform.baseUrl}/daily-reports/reports/bundles/`, { method: 'POST', token, headers, body: JSON.stringify(body) });
  };

  // Both filters select the same reports, but create different tasks.
  it.each([
    ['worker', null],
    ['daily-reports', ['draft']],
  ])('is complete after kill -9 of %s', async (name, statuses) => {
    await ask(statuses);
    await platform.service(name).kill('SIGKILL');
    await platform.service(name).restart();
    const { target } = await waitFor(async () => {
      const { status, json } = await ask(statuses);
      return status === 200 && (json as { readonly target: string });
    });
    await expectWholeBundle((await download(target)).body);
  });

  it('can be downloaded with the command line', async () => {
    const file = join(platform.home, 'bundle.pdf');
    const days = ['--from', DAYS[0] ?? '', '--to', DAYS.at(-1) ?? ''];
    const project = ['--project', org.id(SITE)];
    const done = await platform.cli(['daily-reports', 'bundle', '--account', org.id(ADMIN), ...days, ...project, '--output', file]);
    expect(done).toMatchObject({ exitCode: 0, stdout: `${file}\n` });
    await expectWholeBundle(readFileSync(file));
    const printed = await platform.cli(['daily-reports', 'bundle', '--account', org.id(ADMIN), ...days, ...project, '--output', '-']);
    expect(printed).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^%PDF-[^]*%%EOF\s*$/u) });
    const refused = await platform.cli([
      'daily-reports',
      'bundle',
      '--account',
      org.id(ADMIN),
      '--from',
      'x',
      '--to',
      'y',
      '--output',
      file,
    ]);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/--from[^]*--to/) });
  });
});
