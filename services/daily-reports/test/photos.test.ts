import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inspectionV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { startS3 } from '@stechuhr/local-infra';
import { connectObjectStore, keptKeyOf, type ObjectStore } from '@stechuhr/objectstore';
import { callUnary, createGrpcClient, readStream } from '@stechuhr/service';
import { waitFor } from '@stechuhr/testing';
import { MAX_UNNAMED_UPLOADS } from '../src/operations/issue-upload-token.js';
import { interruptedStores, type Interruption } from './support/interrupted-stores.js';
import { openOrganization, type Line, type Organization } from './support/organization.js';
import { startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';
import { openContext } from './support/site.js';

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const GOOD = { filename: 'IMG 1.JPG', filetype: 'image/jpeg', filesize: 1_000 };

let s3: Awaited<ReturnType<typeof startS3>>;
let store: ObjectStore;
let reports: RunningDailyReports;
let firm: Organization;
let aheadMs = 0;
/** The interruption between two steps of a sweep. */
let between: Interruption | undefined;

beforeAll(async () => {
  s3 = await startS3();
  store = connectObjectStore(s3.address);
  await store.ensureBucket();
  const { endpoint, accessKey, secretKey, bucket } = s3.address;
  const env = { S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey, S3_BUCKET: bucket };
  reports = await startDailyReports(env, {
    clock: { now: () => Date.now() + aheadMs },
    uploadSweepMs: 50,
    stores: interruptedStores(() => between),
  });
  firm = await openOrganization(reports);
});
afterAll(async () => {
  await reports.stop();
  await s3.stop();
});

const callerOf = (accountId: string) => ({ ...firm.caller, accountId });
const issue = (caller = callerOf(firm.ada)) =>
  callUnary(reports.client, reports.client.issueUploadToken, { caller, json: JSON.stringify(GOOD) });

interface Form {
  readonly key: string;
  upload(bytes: Buffer): Promise<number>;
}

/** Issues a form for a photo of Ada and one for its preview. */
async function forms(caller = callerOf(firm.ada)): Promise<readonly [Form, Form]> {
  const { url, fields, thumbFields } = await issue(caller);
  const formOf = (given: Readonly<Record<string, string>>): Form => ({
    key: given['key'] ?? '',
    async upload(bytes) {
      const form = new FormData();
      for (const [name, value] of Object.entries(given)) form.append(name, value);
      form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'a.jpg');
      return (await fetch(url, { method: 'POST', body: form })).status;
    },
  });
  return [formOf(fields), formOf(thumbFields)];
}

const photoEntry = (image_key: string, thumb_key: string | null = null): Line =>
  firm.entry({ field_id: 'photos', image_id: newId(), image_key, thumb_key });

/** Returns the responses of the addresses of an entry. */
async function shown({ id }: Line): Promise<{ readonly photo: Buffer | undefined; readonly preview: Buffer | undefined }> {
  const { entries } = await firm.entries({ ids: String(id) });
  const value = entries[0]?.value?.value;
  const image = value?.$case === 'image' ? value.value : undefined;
  const read = async (url: string | undefined) => {
    const answer = url === undefined ? undefined : await fetch(url);
    return answer?.ok === true ? Buffer.from(await answer.arrayBuffer()) : undefined;
  };
  return { photo: await read(image?.imageUrl), preview: await read(image?.thumbUrl) };
}

const isThere = async (key: string): Promise<boolean> => (await store.stat(key)) !== undefined;
const isGone = (key: string) => waitFor(async () => !(await isThere(key)) || undefined);

describe('the photo of an entry', () => {
  it('cannot be replaced with its form once the entry is stored', async () => {
    const [photo, preview] = await forms();
    const [first, small, other] = [randomBytes(100), randomBytes(10), randomBytes(120)];
    expect([await photo.upload(other), await photo.upload(first), await preview.upload(small)]).toEqual([204, 204, 204]);
    const entry = photoEntry(photo.key, preview.key);
    await firm.record(entry);
    expect([await photo.upload(other), await preview.upload(other)]).toEqual([204, 204]);
    expect(await shown(entry)).toEqual({ photo: first, preview: small });
    // A second entry with the same photo does not change this.
    const second = photoEntry(photo.key);
    await firm.record(second);
    expect((await shown(second)).photo).toEqual(first);
    expect((await firm.reports()).reports[0]?.values.some(({ value }) => value?.$case === 'image')).toBe(true);
  });

  it('may be uploaded after the entry, and is then kept, too', async () => {
    const [photo] = await forms();
    const entry = photoEntry(photo.key);
    await firm.record(entry);
    expect((await shown(entry)).photo).toBeUndefined();
    const first = randomBytes(100);
    await photo.upload(first);
    // The clock is advanced no further, because addresses are signed with its time.
    aheadMs += 6 * 60_000;
    await waitFor(() => isThere(keptKeyOf(photo.key)));
    await photo.upload(randomBytes(100));
    expect((await shown(entry)).photo).toEqual(first);
  });

  it('leaves nothing under the key of the form after the form has expired', async () => {
    const [photo] = await forms();
    await photo.upload(randomBytes(100));
    await firm.record(photoEntry(photo.key));
    expect([await isThere(photo.key), await isThere(keptKeyOf(photo.key))]).toEqual([true, true]);
    aheadMs += 13 * HOUR_MS;
    await isGone(photo.key);
    expect(await isThere(keptKeyOf(photo.key))).toBe(true);
  });

  it('is removed a week after its entry', async () => {
    const [photo] = await forms();
    await photo.upload(randomBytes(100));
    const entry = photoEntry(photo.key);
    await firm.record(entry);
    await firm.record({ kind: 'daily_report_entry', institution_id: firm.institutionId, id: entry['id'], deleted: true });
    aheadMs += WEEK_MS;
    await isGone(keptKeyOf(photo.key));
    await isGone(photo.key);
  });
});

describe('the photo of a deleted entry', () => {
  it('is removed even if the process was killed right after the entry was removed', async () => {
    const [photo] = await forms();
    await photo.upload(randomBytes(100));
    const entry = photoEntry(photo.key);
    await firm.record(entry);
    aheadMs += 13 * HOUR_MS;
    await isGone(photo.key);
    const deletion = { kind: 'daily_report_entry', institution_id: firm.institutionId, id: entry['id'], deleted: true };
    between = { store: 'entries', method: 'remove', before: false };
    await expect(firm.record(deletion)).rejects.toThrow();
    between = undefined;
    await firm.record(deletion);
    aheadMs += WEEK_MS;
    await isGone(keptKeyOf(photo.key));
  });
});

describe('an upload to which no entry refers', () => {
  it('is removed after a week', async () => {
    const [[lost, preview], [named]] = await Promise.all([forms(), forms()]);
    await Promise.all([lost, preview, named].map((form) => form.upload(randomBytes(10))));
    await firm.record(photoEntry(named.key));
    aheadMs += WEEK_MS;
    await Promise.all([isGone(lost.key), isGone(preview.key)]);
    expect(await isThere(keptKeyOf(named.key))).toBe(true);
  });

  it('is kept if an entry refers to it at the end of the week', async () => {
    const [photo] = await forms();
    await photo.upload(randomBytes(100));
    const looked = Promise.withResolvers<undefined>();
    const act = async (_tenant: unknown, key: unknown): Promise<void> => {
      if (key !== photo.key) return;
      between = undefined;
      await firm.record(photoEntry(photo.key));
      looked.resolve(undefined);
    };
    between = { store: 'entries', method: 'namesPhoto', before: false, act };
    aheadMs += WEEK_MS;
    await looked.promise;
    // The sweep that checked it has ended when a later one clears the key of the form.
    aheadMs += 13 * HOUR_MS;
    await isGone(photo.key);
    expect(await isThere(keptKeyOf(photo.key))).toBe(true);
  });

  it('is kept for another week if it was kept for an entry that the database does not know since a restore', async () => {
    const [photo, preview] = await forms();
    // As after a restore of a backup that was made between the upload and its entry.
    for (const { key } of [photo, preview]) {
      await store.putStream(key, Readable.from([randomBytes(10)]), 'image/jpeg');
      await store.putStream(keptKeyOf(key), Readable.from([randomBytes(10)]), 'image/jpeg');
    }
    const context = await openContext(reports);
    const known = () => context.ports.uploads.keptOf(firm.caller, [photo.key, preview.key]);
    aheadMs += WEEK_MS;
    await waitFor(async () => (await known()).size === 2 || !(await isThere(keptKeyOf(photo.key))));
    expect([await isThere(keptKeyOf(photo.key)), await isThere(keptKeyOf(preview.key))]).toEqual([true, true]);
    // The entry is imported again, but without the preview.
    await firm.record(photoEntry(photo.key));
    aheadMs += WEEK_MS;
    await isGone(keptKeyOf(preview.key));
    expect(await isThere(keptKeyOf(photo.key))).toBe(true);
    await context.close();
  });

  it('counts towards a limit: an organization with too many gets no forms, others do', async () => {
    const context = await openContext(reports);
    const tenant = { institutionId: newId() };
    const keys = Array.from({ length: 2 * MAX_UNNAMED_UPLOADS }, (_, n) => `uploads/${tenant.institutionId}/${firm.ada}/${String(n)}.jpg`);
    await context.ports.uploads.issued(tenant, keys);
    await expect(issue({ ...firm.caller, ...tenant })).rejects.toMatchObject({
      code: 'invalid',
      details: { non_field_errors: ['The organization has 5000 photos that no entry names. They are removed after a week.'] },
    });
    await expect(issue()).resolves.toMatchObject({ fields: { key: expect.any(String) } });
    await context.ports.uploads.named(tenant, keys.slice(0, 2));
    await expect(issue({ ...firm.caller, ...tenant })).resolves.toBeDefined();
    await context.close();
  });
});

describe('an upload that is due', () => {
  it('is settled soon, however many another institution has that became due before', async () => {
    const environment = { ...reports.environment, MONGODB_DATABASE: `${reports.environment['MONGODB_DATABASE'] ?? ''}_fair` };
    let now = Date.now();
    const context = await openContext({ ...reports, environment }, { clock: { now: () => now } });
    const { uploads } = context.ports;
    const [many, few] = [{ institutionId: newId() }, { institutionId: newId() }];
    const keys = Array.from({ length: 300 }, (_, n) => String(n).padStart(3, '0'));
    await uploads.named(
      many,
      keys.map((key) => `uploads/${many.institutionId}/${key}.jpg`),
    );
    now += 1_000;
    const waiting = [1, 2, 3].map((n) => `uploads/${few.institutionId}/${String(n)}.jpg`);
    await uploads.named(few, waiting);
    now += HOUR_MS;
    const claimed = await uploads.claimDue(100);
    expect(claimed).toHaveLength(100);
    expect(claimed.flatMap(({ institutionId, key }) => (institutionId === few.institutionId ? key : [])).sort()).toEqual(waiting);
    expect([(await uploads.claimDue(200)).length, (await uploads.claimDue(200)).length]).toEqual([200, 3]);
    await context.close();
  });
});

describe('an inspection', () => {
  const look = async (repair = false) => {
    const client = createGrpcClient(inspectionV1.InspectionServiceClient, reports.address);
    const looks = await Array.fromAsync(readStream(client, client.inspect, { olderThanSeconds: 0, repair }));
    client.close();
    const found = looks.filter(({ count, problem }) => count > 0 || problem !== '');
    return found.map(({ check, examples, repaired, problem }) => [check, ...examples, repaired, problem]);
  };

  it('finds lost photos and orphaned ones, which a repair records like any other', async () => {
    const before = (await look()).length;
    expect(before).toBe(0);
    const [lost] = await forms();
    await lost.upload(randomBytes(100));
    await firm.record(photoEntry(lost.key));
    await store.remove(keptKeyOf(lost.key));
    const orphan = lost.key.replace(/[0-9a-f-]{36}\.jpg$/u, `${newId()}.jpg`);
    await store.putStream(orphan, Readable.from([randomBytes(10)]), 'image/jpeg');
    await store.putStream(keptKeyOf(orphan), Readable.from([randomBytes(10)]), 'image/jpeg');
    expect(await look()).toEqual([
      ['lost-photos', lost.key, 0, ''],
      ['orphaned-photos', orphan, orphan, 0, ''],
    ]);
    // The lost photo still exists under the key of its form; the orphan is recorded once.
    expect(await look(true)).toEqual([
      ['lost-photos', lost.key, 1, ''],
      ['orphaned-photos', orphan, 1, ''],
    ]);
    expect(await look()).toEqual([]);
    expect(await isThere(keptKeyOf(lost.key))).toBe(true);
  });

  it('does not miss the photos of a deleted institution, although their forms are still valid', async () => {
    const other = await openOrganization(reports);
    const [photo] = await forms({ ...other.caller, accountId: other.ada });
    await photo.upload(randomBytes(100));
    await other.record(other.entry({ field_id: 'photos', image_id: newId(), image_key: photo.key, thumb_key: null }));
    expect(await isThere(keptKeyOf(photo.key))).toBe(true);
    const { institutionId } = other;
    await reports.importRecords([{ kind: 'institution', institution_id: institutionId, id: institutionId, deleted: true }]);
    await isGone(keptKeyOf(photo.key));
    expect((await look()).filter(([check]) => check === 'lost-photos')).toEqual([]);
  });
});
