import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commonV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { createLogger } from '@stechuhr/service';
import { testServers, type TestServers } from '@stechuhr/testing';
import { startExports, type RunningExports } from './support/running-exports.js';
import { startScriptedRecords, type ScriptedRecords } from './support/scripted-records.js';

const YEAR = { daterange: '2026-01-01|2026-12-31', response_only: 'true' };

let servers: TestServers;
let records: ScriptedRecords;
let exports: RunningExports;

beforeAll(async () => {
  servers = await testServers();
  records = await startScriptedRecords(createLogger('records', 'fatal'));
  // An employee of the test takes about 250 bytes.
  exports = await startExports({ recordsAddress: records.address, natsUrl: servers.natsUrl, masterDataBytes: 90_000 });
});
afterAll(async () => {
  await exports.stop();
  await records.stop();
  await servers.stop();
});

function callerOf(institutionId: string): { readonly caller: commonV1.Caller } {
  const visibility = { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects: undefined };
  return { caller: { institutionId, accountId: newId(), visibility } };
}

describe('the master data of an export', () => {
  it('has only the custom fields that the request names', async () => {
    const asked = async (parameters: Record<string, string>) => {
      await exports.run({ ...YEAR, ...parameters });
      return records.customFields;
    };
    expect(await asked({})).toEqual([]);
    expect(await asked({ columns: 'position|custom.helmet|value', filter: 'custom.size!=M' })).toEqual(['position', 'helmet', 'size']);
  });

  it.each<[Record<string, string>, number]>([
    [{}, 0],
    [{ columns: 'last-name|project-name|value' }, 1],
    [{ exporter: 'multi', config: '[{"columns":["last-name","value"]}]' }, 0],
    [{ exporter: 'multi', config: '[{"columns":["last-name","\\u0070roject-name"]}]' }, 1],
  ])('of %j has projects only if they are shown: %d', async ({ exporter, ...parameters }, reads) => {
    records.projectReads = 0;
    await exports.run({ ...YEAR, ...parameters }, { ...callerOf(newId()), ...(exporter !== undefined && { exporter }) });
    expect(records.projectReads).toBe(reads);
  });

  it('takes memory until the file was written, of which an institution gets a part', async () => {
    records.employees = 100;
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let calls = 0;
    records.readTimeRecords = async function* () {
      calls += 1;
      if (calls > 1) return;
      begun.resolve();
      await goOn.promise;
    };
    const [large, other] = [callerOf(newId()), callerOf(newId())];
    const first = exports.run(YEAR, large);
    await begun.promise;
    await expect(exports.run(YEAR, large)).rejects.toMatchObject({ code: 'rate_limited' });
    expect((await exports.run(YEAR, other)).header).toBeDefined();
    goOn.resolve();
    await first;
    expect((await exports.run(YEAR, large)).header).toBeDefined();
  });
});
