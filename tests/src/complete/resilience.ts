import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { toNdjson, waitFor, watchSubjects } from '@stechuhr/testing';
import { call, open, query } from '../support/http.js';
import { Organization } from '../support/organization.js';
import { allPublished } from '../support/outboxes.js';
import { platform } from './platform.js';

const org = new Organization(7);
const ADMIN = 1;
const EMPLOYEES = Array.from({ length: 60 }, (_, n) => 100 + n);
const DAYS = Array.from({ length: 28 }, (_, day) => `2026-02-${String(day + 1).padStart(2, '0')}`);
/** Many columns, so that the file does not fit into the buffers between the services. */
const WIDE = Array.from({ length: 200 }, (_, n) => `employee-id:as>id${n}`).join('|');

const lines = [
  org.institution(),
  org.account(ADMIN, 'admin'),
  ...EMPLOYEES.map((employee) => org.employee(employee, 'Kim', `Nr${employee}`)),
  ...EMPLOYEES.flatMap((employee) =>
    DAYS.map((date, day) => org.shift(employee * 100 + day, employee, { date, start: '08:00', end: '16:00' })),
  ),
];
const ROWS = EMPLOYEES.length * DAYS.length;
const ACCEPTED = { institution: 1, account: 1, employee: EMPLOYEES.length, workday: ROWS };

let token: string;
let complete: string;

beforeAll(async () => {
  expect(await platform.importLines(lines)).toEqual({ accepted: ACCEPTED, rejected: [], warnings: [] });
  token = await platform.issueToken(org.id(ADMIN));
  complete = (await exported()).text;
  expect(complete.split('\r\n')).toHaveLength(ROWS + 2);
});

const address = (columns: string) =>
  `${platform.baseUrl}/exports/generic/?${query({ daterange: '2026-02-01|2026-02-28', types: 'workday:hours', response_only: 'true', columns })}`;
const exported = () => call(address('last-name|date|value'), { token });
const exportsWork = () => waitFor(async () => (await exported()).text === complete);

/** Starts a large download and stops reading after the first bytes. */
async function startDownload() {
  const response = await open(address(WIDE), { token });
  await once(response, 'readable');
  expect(response.statusCode).toBe(200);
  return response;
}

/** Reads the rest of a download. @returns how it ended @throws Error if it seems complete but has missing rows */
async function endOf(response: IncomingMessage): Promise<'complete' | 'broken off'> {
  try {
    const lines = (await text(response)).split('\r\n').length - 2;
    if (lines !== ROWS) throw new Error(`A file that seems complete has ${lines} of ${ROWS} rows.`);
    return 'complete';
  } catch (caught) {
    expect(caught).toMatchObject({ message: 'aborted' });
    return 'broken off';
  }
}

async function expectUnavailable() {
  const answer = await exported();
  expect(answer).toMatchObject({ status: 503, json: { detail: expect.any(String) } });
  expect(answer.headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
}

describe('when records is killed', () => {
  it('a running export is never truncated silently, further ones fail with an error, and everything works after a restart', async () => {
    const response = await startDownload();
    await platform.service('records').kill('SIGKILL');
    expect(['complete', 'broken off']).toContain(await endOf(response));
    await expectUnavailable();
    await platform.service('records').restart();
    await exportsWork();
  });
});

describe('when exports is killed', () => {
  it('a running export breaks off, further ones fail with an error, and everything works after a restart', async () => {
    const response = await startDownload();
    await platform.service('exports').kill('SIGKILL');
    expect(await endOf(response)).toBe('broken off');
    await expectUnavailable();
    await platform.service('exports').restart();
    await exportsWork();
  });
});

describe('when the gateway is killed', () => {
  it('its clients are disconnected, and their tokens still work after a restart', async () => {
    const response = await startDownload();
    await platform.service('gateway').kill('SIGKILL');
    expect(await endOf(response)).toBe('broken off');
    await platform.service('gateway').restart();
    await exportsWork();
  });
});

describe('when Redis is killed', () => {
  it('requests are still answered and tokens checked', async () => {
    await platform.infra.servers.redis.kill();
    expect(await exported()).toMatchObject({ status: 200, text: complete });
    expect(await call(`${platform.baseUrl}/exports/`, { token })).toMatchObject({ status: 200 });
    expect(await call(`${platform.baseUrl}/exports/`, { token: 'stu_nobody' })).toMatchObject({ status: 401 });
    await platform.infra.servers.redis.restart();
    await exportsWork();
  });
});

describe('when NATS is killed', () => {
  it('exports still work, and events of imports are published later', async () => {
    await platform.infra.servers.nats.kill();
    expect(await exported()).toMatchObject({ status: 200, text: complete });
    const while_away = [org.project(41, 'P-1')];
    expect(await platform.importLines(while_away)).toMatchObject({ accepted: { project: 1 } });
    await platform.infra.servers.nats.restart();
    const watch = await watchSubjects(platform.run.infra.nats, 'stechuhr.events.>');
    await waitFor(() => watch.messages.some(({ subject }) => subject.endsWith('.records.project.changed')));
    await watch.stop();
    await exportsWork();
  });
});

describe('an import that is repeated', () => {
  it('is accepted again and changes nothing', async () => {
    // This includes the first import: events of a killed process are published when they are old enough.
    await allPublished(platform);
    const watch = await watchSubjects(platform.run.infra.nats, 'stechuhr.events.>');
    expect(await platform.importLines(lines)).toEqual({ accepted: ACCEPTED, rejected: [], warnings: [] });
    expect(await exported()).toMatchObject({ text: complete });
    const finished = await watch.next(({ subject }) => subject.endsWith('.records.import.finished'));
    expect(watch.messages.filter(({ subject }) => subject !== finished.subject && !subject.includes('.exports.'))).toEqual([]);
    await watch.stop();
  });

  it('completes an import during which records was killed', async () => {
    const more = EMPLOYEES.flatMap((employee) =>
      DAYS.map((date, day) => org.shift(100_000 + employee * 100 + day, employee, { date, start: '18:00', end: '19:00' })),
    );
    const halves = async function* () {
      yield toNdjson(more.slice(0, more.length / 2));
      // The CLI has read the first half, so the import is in progress.
      await platform.service('records').kill('SIGKILL');
      yield toNdjson(more.slice(more.length / 2));
    };
    expect(await platform.cli(['import', '--json', '-'], halves())).toMatchObject({ exitCode: 1 });
    await platform.service('records').restart();
    expect(await platform.importLines(more)).toEqual({ accepted: { workday: more.length }, rejected: [], warnings: [] });
    // Exports may not have reconnected to the new process yet and return an error.
    await waitFor(async () => (await exported()).status === 200);
    const rows = (await exported()).text.split('\r\n').length - 2;
    expect(rows).toBe(2 * ROWS);
  });
});
