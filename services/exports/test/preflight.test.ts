import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { commonV1, exportsV1, recordsV1, reviewsV1 } from '@stechuhr/contracts';
import { AppError, newId } from '@stechuhr/kernel';
import { callUnary, createGrpcClient, createLogger, readStream, startGrpcServer, unary, type StartedService } from '@stechuhr/service';
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
/** A real gRPC server that replaces the reviews service. The test sets the number of open errors of each month. */
let reviews: { readonly port: number; stop(): Promise<void> };
let openErrors: (month: number) => Promise<number>;
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
  openErrors = () => Promise.resolve(0);
  const implementation = {
    countOpenErrors: unary(async ({ month }: reviewsV1.CountOpenErrorsRequest) => ({ count: await openErrors(month) })),
  };
  const services = [{ definition: reviewsV1.ReviewsServiceService, implementation }];
  reviews = await startGrpcServer({ bind: '127.0.0.1:0', services, logger });
  const addresses = {
    RECORDS_ADDRESS: records.address,
    ABSENCE_RULES_ADDRESS: NOBODY,
    TASKS_ADDRESS: NOBODY,
    REVIEWS_ADDRESS: `127.0.0.1:${reviews.port}`,
  };
  service = await createExportsService(readConfig({ ...addresses, NATS_URL: servers.natsUrl, LOG_LEVEL: 'fatal' }), logger);
  client = createGrpcClient(exportsV1.ExportsServiceClient, `127.0.0.1:${service.grpcPort}`);
});

afterAll(async () => {
  client.close();
  await service.stop();
  await records.stop();
  await reviews.stop();
  await servers.stop();
});

const preflight = (parameters: Record<string, string>, { exporter = 'payroll_a', withoutReview = false } = {}) =>
  callUnary(client, client.preflight, { caller, exporter, parameters: { ...MARCH, ...parameters }, withoutReview });

it('names the employees whom the file leaves out and why, without reading time records', async () => {
  expect((await preflight({})).skipped).toEqual([
    { id: 'employee-0', name: ' Nr0', reason: 'no-accounting-number' },
    { id: 'employee-1', name: ' Nr1', reason: 'no-accounting-number' },
  ]);
  expect(await preflight({}, { exporter: 'generic' })).toEqual({ skipped: [], skippedCount: 0, warnings: [] });
  expect(reads).toEqual([]);
});

it('counts all who are left out, and names the first where the message has no room for more', async () => {
  records.employees = 45_000;
  try {
    const { skipped, skippedCount } = await preflight({}, { withoutReview: true });
    expect(skippedCount).toBe(45_000);
    expect(skipped.length).toBeGreaterThan(30_000);
    expect(skipped.length).toBeLessThan(45_000);
  } finally {
    records.employees = 2;
  }
});

it('validates the request like a run', async () => {
  await expect(preflight({}, { exporter: 'payroll_b' })).rejects.toMatchObject({
    code: 'invalid',
    details: { config: ['This field is required.'] },
  });
  await expect(preflight({}, { exporter: 'payroll_c' })).rejects.toMatchObject({ code: 'not_found' });
});

it('names the months whose review has open errors', async () => {
  openErrors = (month) => Promise.resolve(month - 2);
  const daterange = '2026-02-15|2026-04-15';
  const leftOut = { code: 'staff-left-out', about: 'no-accounting-number', message: expect.any(String) };
  expect((await preflight({ daterange })).warnings).toEqual([
    leftOut,
    { code: 'open-review-errors', about: '2026-03', message: 'The review of 2026-03 has 1 open error.' },
    { code: 'open-review-errors', about: '2026-04', message: 'The review of 2026-04 has 2 open errors.' },
  ]);
  expect((await preflight({ daterange }, { withoutReview: true })).warnings).toEqual([leftOut]);
  expect((await preflight({ daterange }, { exporter: 'generic' })).warnings).toEqual([]);
});

it.each(['unavailable', 'rate_limited', 'internal', 'invalid'] as const)('names each month whose review is %s', async (code) => {
  openErrors = (month) => (month === 3 ? Promise.reject(new AppError(code, 'Not now.')) : Promise.resolve(month - 3));
  const { warnings } = await preflight({ daterange: '2026-03-01|2026-04-30' });
  expect(warnings.slice(1)).toEqual([
    { code: 'review-unknown', about: '2026-03', message: 'The review of 2026-03 did not answer: open errors are not known.' },
    { code: 'open-review-errors', about: '2026-04', message: 'The review of 2026-04 has 1 open error.' },
  ]);
  openErrors = () => Promise.reject(new AppError(code, 'Not now.'));
  const all = await preflight({ daterange: '2026-03-01|2026-05-31' });
  expect(all.warnings.slice(1).map((warning) => [warning.code, warning.about])).toEqual([
    ['review-unknown', '2026-03'],
    ['review-unknown', '2026-04'],
    ['review-unknown', '2026-05'],
  ]);
});

it('limits how long a file waits for a review', async () => {
  const { promise, resolve } = Promise.withResolvers<number>();
  openErrors = () => promise;
  const request = { caller, exporter: 'payroll_a', parameters: { ...MARCH, response_only: 'true' }, headerOnly: true, existingOnly: false };
  const parts: exportsV1.RunExportResponse[] = [];
  for await (const part of readStream(client, client.runExport, { ...request, withoutReview: false })) parts.push(part);
  resolve(0);
  expect(parts).toMatchObject([
    { part: { value: { warnings: [{ code: 'staff-left-out' }, { code: 'review-unknown', about: '2026-03' }] } } },
  ]);
});
