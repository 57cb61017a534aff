import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { commonV1, exportsV1, recordsV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { callUnary, createGrpcClient, createLogger, type StartedService } from '@stechuhr/service';
import { testServers, type TestServers } from '@stechuhr/testing';
import { readConfig } from '../src/config.js';
import { createExportsService } from '../src/service.js';
import { startScriptedRecords, type ScriptedRecords } from './support/scripted-records.js';

const logger = createLogger('exports', 'fatal');
const NOBODY = '127.0.0.1:9';
const visibility = { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects: undefined };
const caller = { institutionId: newId(), accountId: newId(), visibility };
const MARCH = { daterange: '2026-03-01|2026-03-31' };

let servers: TestServers;
let records: ScriptedRecords;
let service: StartedService;
let client: exportsV1.ExportsServiceClient;
let reads: recordsV1.ReadTimeRecordsRequest[];

beforeAll(async () => {
  servers = await testServers();
  records = await startScriptedRecords(logger);
  records.employees = 2;
  reads = [];
  records.readTimeRecords = async function* (request) {
    await Promise.resolve(reads.push(request));
    yield recordsV1.ReadTimeRecordsResponse.fromPartial({ employees: request.employeeIds.map((employeeId) => ({ employeeId })) });
  };
  const addresses = { RECORDS_ADDRESS: records.address, ABSENCE_RULES_ADDRESS: NOBODY, TASKS_ADDRESS: NOBODY };
  service = await createExportsService(readConfig({ ...addresses, NATS_URL: servers.natsUrl, LOG_LEVEL: 'fatal' }), logger);
  client = createGrpcClient(exportsV1.ExportsServiceClient, `127.0.0.1:${service.grpcPort}`);
}, 60_000);

afterAll(async () => {
  client.close();
  await service.stop();
  await records.stop();
  await servers.stop();
});

const preflight = (parameters: Record<string, string>, exporter = 'payroll_a') =>
  callUnary(client, client.preflight, { caller, exporter, parameters: { ...MARCH, ...parameters } });

it('names whom the file leaves out and why, and reads nothing for it', async () => {
  expect((await preflight({})).skipped).toEqual([
    { id: 'employee-0', name: ' Nr0', reason: 'no-accounting-number' },
    { id: 'employee-1', name: ' Nr1', reason: 'no-accounting-number' },
  ]);
  expect(await preflight({}, 'generic')).toEqual({ skipped: [], warnings: [] });
  expect(reads).toEqual([]);
});

it('checks the request like a run', async () => {
  await expect(preflight({}, 'payroll_b')).rejects.toMatchObject({ code: 'invalid', details: { config: ['This field is required.'] } });
  await expect(preflight({}, 'payroll_c')).rejects.toMatchObject({ code: 'not_found' });
});
