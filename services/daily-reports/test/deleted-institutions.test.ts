import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@stechuhr/kernel';
import { startS3 } from '@stechuhr/local-infra';
import { connectMongo, type MongoDb } from '@stechuhr/mongo';
import { connectObjectStore } from '@stechuhr/objectstore';
import { createLogger } from '@stechuhr/service';
import { buildDeletion, waitFor } from '@stechuhr/testing';
import { readConfig } from '../src/config.js';
import { createContext, type Context } from '../src/context.js';
import { recordEntries } from '../src/operations/record-entries.js';
import { changeStatus } from '../src/operations/report-status.js';
import { dayOf, openOrganization } from './support/organization.js';
import { startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';

const HOUR_MS = 3_600_000;
const quiet = createLogger('test', 'fatal');

let s3: Awaited<ReturnType<typeof startS3>>;
let running: RunningDailyReports;
let mongo: MongoDb;
let replica: Context;
/** How far the clock of the replica is ahead, in milliseconds. */
let ahead = 0;

beforeAll(async () => {
  s3 = await startS3();
  await connectObjectStore(s3.address).ensureBucket();
  const { endpoint, accessKey, secretKey, bucket } = s3.address;
  running = await startDailyReports({ S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey, S3_BUCKET: bucket });
  const { MONGODB_URL: url = '', MONGODB_DATABASE: database = '' } = running.environment;
  mongo = await connectMongo({ url, database, logger: quiet });
  replica = await createContext(readConfig(running.environment), quiet, {
    clock: { now: () => Date.now() + ahead },
    maintenanceMs: 50,
  });
});
afterAll(async () => {
  await replica.close();
  await mongo.close();
  await running.stop();
  await s3.stop();
});

/** The number of documents of an institution by collection. */
async function stored(institutionId: string): Promise<Record<string, number>> {
  const names = ['entries', 'descriptors'] as const;
  const counts = names.map((name) => mongo.connection.collection(name).countDocuments({ institution_id: institutionId }));
  return Object.fromEntries((await Promise.all(counts)).map((count, at) => [names[at], count]));
}

it('what is written while its institution is deleted is removed within an hour', async () => {
  const [firm, other] = [await openOrganization(running), await openOrganization(running)];
  for (const one of [firm, other]) await one.record(one.entry());
  await running.importRecords([buildDeletion({ kind: 'institution', institution_id: firm.institutionId, id: firm.institutionId })]);
  await waitFor(async () => (await stored(firm.institutionId)).entries === 0 && (await stored(firm.institutionId)).descriptors === 0);

  // The writes of requests whose project was checked before the deletion.
  const tenant = { institutionId: firm.institutionId };
  const [report, next] = [0, 1].map((day) => ({ tagId: firm.site, date: dayOf('2026-03-02') + day }));
  if (report === undefined || next === undefined) throw new Error('There are two days.');
  const value = { type: 'string' as const, value: 'Kran von Ada' };
  const who = { authorId: firm.ada, onBehalfOfId: null, burned: false, submittedAt: 0, createdAt: 0, modifiedAt: 0 };
  const project = { id: firm.site, name: '', code: '', color: '', address: '', costCenter: '', client: '' };
  const records = { ...replica.recordsOf(firm.caller, new AbortController().signal), findProject: () => Promise.resolve(project) };
  const call = { ...replica.ports, caller: firm.caller, records, signal: new AbortController().signal };
  const write = async () => {
    await recordEntries(replica.ports, tenant, { report, drafts: [{ id: newId(), fieldId: 'comments', value, ...who }] });
    await changeStatus(call, { report: next, status: 'submitted', permissions: ['edit', 'approve'], reason: 'Ada ist krank' });
  };
  // The deletion arrives in two queues. What was written while the second one is handled is removed at once.
  await waitFor(async () => {
    await write();
    const { entries = 0, descriptors } = await stored(firm.institutionId);
    return entries > 0 && descriptors === 2;
  });

  ahead = HOUR_MS;
  await waitFor(async () => (await stored(firm.institutionId)).entries === 0 && (await stored(firm.institutionId)).descriptors === 0);
  expect(await stored(other.institutionId)).toEqual({ entries: 1, descriptors: 1 });
});
