import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@stechuhr/testing';
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
/** Rows that take a while. */
const WIDE = Array.from({ length: 150 }, (_, n) => `employee-id:as>id${n}`).join('|');

const lines = [
  org.institution(),
  org.account(ADMIN, 'admin'),
  ...EMPLOYEES.map((employee) => org.employee(employee, 'Kim', `Nr${employee}`)),
  ...EMPLOYEES.flatMap((employee) =>
    DAYS.map((date, day) => org.shift(employee * 100 + day, employee, { date, start: '08:00', end: '16:00' })),
  ),
];

let platform: TestPlatform;
let token: string;

beforeAll(async () => {
  platform = await startTestPlatform({ JOB_LEASE_SECONDS: '3' }, ['tasks', 'worker']);
  expect(await platform.importLines(lines)).toMatchObject({ rejected: [] });
  token = await platform.issueToken(org.id(ADMIN));
}, 180_000);
afterAll(() => platform.stop(), 60_000);

let exportsSoFar = 0;
function newAddress(): string {
  const parameters = { daterange: '2026-02-01|2026-02-28', types: 'workday:hours', columns: `last-name|date|value|${WIDE}` };
  const header = `value:as>run${String(++exportsSoFar)}`;
  return `${platform.baseUrl}/exports/generic/?${query({ ...parameters, columns: `${parameters.columns}|${header}`, is_async: 'true' })}`;
}

/** Whatever happened on the way: the file is whole, and it is the one that the task refers to. */
async function expectWholeFile(address: string, timeoutMs = 60_000): Promise<void> {
  const { id, target } = await finishedTask(address, token, timeoutMs);
  const { status, body } = await download(target);
  expect(status).toBe(200);
  expect(body.toString().split('\r\n')).toHaveLength(ROWS + 2);
  // The gateway may need a moment longer than exports to reach a service that was unavailable.
  const { json } = await waitFor(async () => {
    const answer = await call(`${platform.baseUrl}/asynchronous-tasks/tasks/${id}/`, { token });
    return answer.status === 200 && answer;
  });
  const { file } = (json as { result: { file: string } }).result;
  expect(new URL(target).pathname).toBe(`/${platform.run.infra.s3.bucket}/${file}`);
}

/** Starts some exports at once; with two at a time, some run and some wait. */
async function startSome(): Promise<readonly string[]> {
  const addresses = Array.from({ length: 5 }, newAddress);
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
  it.each(Object.keys(FAULTS))(
    'of %s loses no export and makes no half one',
    async (name) => {
      const addresses = await startSome();
      await FAULTS[name]?.();
      for (const address of addresses) await expectWholeFile(address);
    },
    90_000,
  );
});

describe('without the store', () => {
  it('exports wait, and finish when it is back', async () => {
    await servers().s3.kill();
    const addresses = await startSome();
    await waitFor(async () => (await failedTries()) >= 2 * addresses.length);
    for (const address of addresses) expect(['created', 'in_progress']).toContain((await askForTask(address, token)).status);
    await servers().s3.restart();
    for (const address of addresses) await expectWholeFile(address, 100_000);
  }, 200_000);
});
