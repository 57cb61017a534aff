import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@stechuhr/kernel';
import { startS3 } from '@stechuhr/local-infra';
import { connectMongo, type MongoDb } from '@stechuhr/mongo';
import { connectObjectStore } from '@stechuhr/objectstore';
import { createLogger, readStream } from '@stechuhr/service';
import { buildDeletion, buildInstitution, buildProject, waitFor } from '@stechuhr/testing';
import { readConfig } from '../src/config.js';
import { createContext, type Context } from '../src/context.js';
import { removeInstitution } from '../src/operations/forget-deleted.js';
import { recordEntries } from '../src/operations/record-entries.js';
import { changeStatus } from '../src/operations/report-status.js';
import { callerIn, dayOf, openOrganization, shown } from './support/organization.js';
import { startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';

const HOUR_MS = 3_600_000;
const quiet = createLogger('test', 'fatal');

const store = () => connectObjectStore(s3.address);
let s3: Awaited<ReturnType<typeof startS3>>;
let running: RunningDailyReports;
let mongo: MongoDb;
let replica: Context;
/** How far the clock of the replica is ahead, in milliseconds. */
let ahead = 0;

beforeAll(async () => {
  s3 = await startS3();
  await store().ensureBucket();
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

describe('an institution that is created again while its daily reports are removed', () => {
  /** Its only project has a report with one entry by somebody. @returns the calls of the test */
  async function deletedInstitution() {
    const [institutionId, site] = [newId(), newId()];
    const caller = callerIn(institutionId);
    const report = { tagId: site, date: dayOf('2026-03-02') };
    const record = async (value: string): Promise<void> => {
      const photo = Readable.from([Buffer.from(value)]);
      await store().putStream(`uploads/${institutionId}/${caller.accountId}/${value}.jpg`, photo, 'image/jpeg');
      const who = { authorId: newId(), onBehalfOfId: null, burned: false, submittedAt: 0, createdAt: 0, modifiedAt: 0 };
      const draft = { id: newId(), fieldId: 'comments', value: { type: 'string' as const, value }, ...who };
      await recordEntries(replica.ports, { institutionId }, { report, drafts: [draft] });
    };
    await record('alt');
    return {
      institutionId,
      site,
      async createAgain() {
        await running.importRecords([buildInstitution({ id: institutionId }), buildProject({ id: site, institution_id: institutionId })]);
        await record('neu');
      },
      async photos() {
        const keys: string[] = [];
        for await (const { key } of store().list(`uploads/${institutionId}/`)) keys.push(key.split('/').at(-1) ?? '');
        return keys;
      },
      async entries() {
        const texts: string[] = [];
        const request = { caller, parameters: {}, limit: 100, offset: 0 };
        for await (const { entries } of readStream(running.client, running.client.listEntries, request)) texts.push(...entries.map(shown));
        return texts.map((text) => text.split(' ').at(-1)).sort();
      },
      async contributors() {
        const counts: number[] = [];
        const request = { caller, parameters: {}, limit: 100, offset: 0 };
        for await (const { reports } of readStream(running.client, running.client.listReports, request))
          counts.push(...reports.map(({ contributorCount }) => contributorCount));
        return counts;
      },
    };
  }

  it.each([1, 2, 3, 4, 5, 6])('after it was found missing %i times, keeps what is written from then on', async (times) => {
    const firm = await deletedInstitution();
    const needs = replica.ingestNeeds();
    let checks = 0;
    const missing: typeof needs.references.missing = async (named) => {
      const found = await needs.references.missing(named);
      checks += 1;
      if (checks === times) await firm.createAgain();
      return found;
    };
    await removeInstitution({ ...needs, bin: replica.bin, references: { missing } }, firm);
    if (checks < times) await firm.createAgain();
    const entries = await firm.entries();
    expect(entries).toContain('neu');
    expect(await firm.photos()).toContain('neu.jpg');
    // Each entry has its own author.
    expect(await firm.contributors()).toEqual([entries.length]);
    expect((await stored(firm.institutionId)).entries).toBe(entries.length);
  });

  it('has no reports of entries that were deleted, also if the removal was killed before', async () => {
    const firm = await deletedInstitution();
    const needs = { ...replica.ingestNeeds(), bin: replica.bin };
    const killed = { ...needs.reports, removeAll: () => Promise.reject(new Error('killed')) };
    await expect(removeInstitution({ ...needs, reports: killed }, firm)).rejects.toThrow('killed');
    await running.importRecords([
      buildInstitution({ id: firm.institutionId }),
      buildProject({ id: firm.site, institution_id: firm.institutionId }),
    ]);
    await removeInstitution(needs, firm);
    expect([await firm.entries(), await firm.contributors()]).toEqual([[], []]);
  });
});
