import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import { createLogger } from '@stechuhr/service';
import { testServers, waitFor, watchSubjects, type SubjectWatch, type TestServers } from '@stechuhr/testing';
import { startExports, type RunningExports } from './support/running-exports.js';
import { startScriptedRecords, worker, type ScriptedRecords } from './support/scripted-records.js';

const YEAR = { daterange: '2026-01-01|2026-12-31', types: 'workday:hours', columns: 'last-name|date|value', response_only: 'true' };
const UNAVAILABLE = { code: 'unavailable', message: 'Nobody is there.' };

let servers: TestServers;
let records: ScriptedRecords;
let exports: RunningExports;
let events: SubjectWatch;

beforeAll(async () => {
  servers = await testServers();
  records = await startScriptedRecords(createLogger('records', 'fatal'));
  exports = await startExports({ recordsAddress: records.address, natsUrl: servers.natsUrl });
});
afterAll(async () => {
  await exports.stop();
  await records.stop();
  await servers.stop();
});
beforeEach(() => {
  records.employees = 1000;
});

describe('a run', () => {
  it('requests employees in the order of the rows and only the required data', async () => {
    records.employees = 2;
    const asked: unknown[] = [];
    records.readTimeRecords = async function* ({ employeeIds, parts }) {
      asked.push({ employeeIds, parts });
      yield { employees: [worker(0, 1), worker(1, 1)] };
    };
    const { text } = await exports.run({ ...YEAR, types: 'work-time:hours', columns: 'last-name|value' });
    expect(text).toBe('last-name,value\r\nNr0,8\r\nNr1,8\r\n');
    expect(asked).toEqual([{ employeeIds: ['employee-0', 'employee-1'], parts: [3, 4] }]);
  });

  it('sends the first bytes long before the last record was read', async () => {
    let sent = 0;
    records.readTimeRecords = async function* () {
      for (; sent < 1000; sent++) yield { employees: [worker(sent, 250)] };
    };
    for await (const { part } of exports.stream(YEAR)) if (part?.$case === 'chunk') break;
    expect(sent).toBeLessThan(500);
  });

  it('reads only as fast as its client', async () => {
    let sent = 0;
    records.readTimeRecords = async function* () {
      for (; sent < 1000; sent++) yield { employees: [worker(sent, 250)] };
    };
    const parts = exports.stream({ ...YEAR, columns: Array.from({ length: 40 }, (_, n) => `last-name:pad>60:as>c${n}`).join('|') });
    const iterator = parts[Symbol.asyncIterator]();
    await iterator.next();
    const standing = await standsStill(() => sent);
    expect(standing).toBeLessThan(1000);
    await iterator.return?.();
  });

  it('stops reading when its client cancels', async () => {
    let [sent, ended] = [0, false];
    records.readTimeRecords = async function* () {
      try {
        for (; sent < 1000; sent++) yield { employees: [worker(sent, 250)] };
      } finally {
        ended = true;
      }
    };
    for await (const { part } of exports.stream(YEAR)) if (part?.$case === 'chunk') break;
    await waitFor(() => ended);
    expect(sent).toBeLessThan(1000);
  });
});

describe('a failure of records', () => {
  it('before the first chunk is returned as an error without a header', async () => {
    records.readTimeRecords = async function* () {
      yield { employees: [worker(0, 10)] };
      throw new AppError('unavailable', 'Nobody is there.');
    };
    const parts = exports.stream(YEAR);
    await expect(parts[Symbol.asyncIterator]().next()).rejects.toMatchObject(UNAVAILABLE);
  });

  it('later ends the stream with an error and publishes nothing', async () => {
    events = await watchSubjects(servers.natsUrl, 'stechuhr.events.>');
    records.readTimeRecords = async function* () {
      for (let n = 0; n < 100; n++) yield { employees: [worker(n, 250)] };
      throw new AppError('unavailable', 'Nobody is there.');
    };
    let chunks = 0;
    const drain = async () => {
      for await (const { part } of exports.stream({ ...YEAR, export_format: 'json' })) if (part?.$case === 'chunk') chunks++;
    };
    await expect(drain()).rejects.toMatchObject(UNAVAILABLE);
    expect(chunks).toBeGreaterThan(0);
    records.readTimeRecords = async function* () {};
    await exports.run({ ...YEAR, export_format: 'xlsx' });
    // Events of earlier runs have the format csv.
    await events.next(ofFormat('xlsx'));
    expect(events.messages.filter(ofFormat('json'))).toEqual([]);
    await events.stop();
  });
});

const ofFormat =
  (format: string) =>
  ({ text }: { readonly text: string }): boolean =>
    text.includes(`"export_format":"${format}"`);

/** Waits until a value has stayed the same for half a second, and returns it. */
async function standsStill(read: () => number): Promise<number> {
  let last = { value: read(), since: Date.now() };
  return waitFor(() => {
    if (read() !== last.value) last = { value: read(), since: Date.now() };
    return Date.now() - last.since > 500 && last.value;
  });
}
