import { once } from 'node:events';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@stechuhr/testing';
import { open, query } from '../support/http.js';
import { metric } from '../support/metrics.js';
import { Organization } from '../support/organization.js';
import { peakMemoryMib } from '../support/process-memory.js';
import { platform } from './platform.js';

const EMPLOYEES = 200;
const MEMORY_LIMIT_MIB = 300;
const org = new Organization(5);
const ADMIN = 1;

/** All weekdays from 1 January to 31 March 2026: 64 days. */
const days = Array.from({ length: 90 }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)))
  .filter((date) => date.getUTCDay() % 6 !== 0)
  .map((date) => date.toISOString().slice(0, 10));
const ROWS = EMPLOYEES * days.length;

/** Sixty columns, with which a row has about 2 kB, so that the file is larger than all buffers between the services. */
const WIDE = Array.from({ length: 60 }, (_, n) => `employee-id:as>id${n}`).join('|');

let token: string;

beforeAll(async () => {
  const employees = Array.from({ length: EMPLOYEES }, (_, n) => 1000 + n);
  const lines = [
    org.institution(),
    org.account(ADMIN, 'admin'),
    ...employees.map((employee) => org.employee(employee, 'Kim', `Nr${employee}`)),
    ...employees.flatMap((employee) =>
      days.map((date, day) => org.shift(employee * 1000 + day, employee, { date, start: '08:00', end: '16:15' })),
    ),
  ];
  expect(await platform.importLines(lines)).toMatchObject({ accepted: { employee: EMPLOYEES, workday: ROWS }, rejected: [] });
  token = await platform.issueToken(org.id(ADMIN));
});

function download(columns: string, export_format = 'csv') {
  const parameters = { daterange: '2026-01-01|2026-03-31', types: 'workday:hours', response_only: 'true', columns, export_format };
  return open(`${platform.baseUrl}/exports/generic/?${query(parameters)}`, { token });
}

/** Bytes that occur once per csv line and per json object. */
const [NEWLINE, BRACE] = [0x0a, 0x7d];

async function count(response: AsyncIterable<Uint8Array>, wanted: number): Promise<number> {
  let found = 0;
  for await (const chunk of response) for (const byte of chunk) if (byte === wanted) found++;
  return found;
}

const exportsMetric = (name: string) => metric(platform.run.services.exports, name);
const rowsWritten = () => exportsMetric('stechuhr_exports_rows_total');
const running = () => exportsMetric('stechuhr_exports_running');

/** Waits until the value has not changed for a second, and returns it. */
async function settled(read: () => Promise<number>): Promise<number> {
  let last = { value: await read(), since: Date.now() };
  return waitFor(async () => {
    const value = await read();
    if (value !== last.value) last = { value, since: Date.now() };
    return Date.now() - last.since > 1000 ? { value } : undefined;
  }).then(({ value }) => value);
}

describe('a large export', () => {
  it.each([
    ['csv', NEWLINE, ROWS + 1],
    ['json', BRACE, ROWS],
  ])('as %s is complete', async (format, separator, expected) => {
    expect(await count(await download('last-name|date|value', format), separator)).toBe(expected);
  });

  // Its first bytes arrive before the last rows are written, and its last rows are written only when there is room for them.
  it.each([
    ['csv', NEWLINE, ROWS + 1],
    ['json', BRACE, ROWS],
  ])('as %s waits for a client that does not read, and is still complete', async (format, separator, expected) => {
    const before = await rowsWritten();
    const response = await download(WIDE, format);
    response.pause();
    const whilePaused = (await settled(rowsWritten)) - before;
    expect(whilePaused).toBeGreaterThan(0);
    expect(whilePaused).toBeLessThan(ROWS);
    expect(await count(response, separator)).toBe(expected);
    expect((await rowsWritten()) - before).toBe(ROWS);
  });

  it('is aborted when its client disconnects', async () => {
    const before = await rowsWritten();
    const response = await download(WIDE);
    await once(response, 'data');
    response.destroy();
    await waitFor(async () => (await running()) === 0);
    expect((await settled(rowsWritten)) - before).toBeLessThan(ROWS);
  });

  it('does not increase the memory of any process much', async () => {
    await Promise.all([1, 2, 3].map(async () => once((await download(WIDE)).resume(), 'end')));
    for (const name of Object.keys(platform.run.services)) {
      const peak = await peakMemoryMib(platform.service(name).pid);
      if (peak !== undefined) expect({ name, small: peak < MEMORY_LIMIT_MIB, peak }).toMatchObject({ small: true });
    }
  });
});
