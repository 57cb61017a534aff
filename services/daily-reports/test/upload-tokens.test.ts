import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { newId } from '@stechuhr/kernel';
import { startS3 } from '@stechuhr/local-infra';
import { connectObjectStore, createAddresses, type ObjectStore } from '@stechuhr/objectstore';
import { callUnary } from '@stechuhr/service';
import { watchSubjects } from '@stechuhr/testing';
import { callerOf, startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const GOOD = { filename: 'IMG 1.JPG', filetype: 'image/jpeg', filesize: 1_000 };

let s3: Awaited<ReturnType<typeof startS3>>;
let store: ObjectStore;
let reports: RunningDailyReports;

beforeAll(async () => {
  s3 = await startS3();
  store = connectObjectStore(s3.address);
  await store.ensureBucket();
  const { endpoint, accessKey, secretKey, bucket } = s3.address;
  reports = await startDailyReports({ S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey, S3_BUCKET: bucket });
});
afterAll(async () => {
  await reports.stop();
  await s3.stop();
});

const ada = callerOf(newId());
const issue = (body: object, caller = ada) =>
  callUnary(reports.client, reports.client.issueUploadToken, { caller, json: JSON.stringify(body) });

async function upload(url: string, fields: Readonly<Record<string, string>>, bytes = 1_000): Promise<number> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([randomBytes(bytes)], { type: 'image/jpeg' }), 'IMG 1.JPG');
  const response = await fetch(url, { method: 'POST', body: form });
  await response.arrayBuffer();
  return response.status;
}

describe('an upload token', () => {
  it('stores a photo and its preview in the namespace of the account', async () => {
    const { url, fields, thumbFields } = await issue(GOOD);
    expect([fields, thumbFields].map((form) => Object.keys(form).sort())).toEqual([
      ['AWSAccessKeyId', 'key', 'policy', 'signature'],
      ['AWSAccessKeyId', 'key', 'policy', 'signature'],
    ]);
    const [key = '', thumbKey = ''] = [fields['key'], thumbFields['key']];
    expect(key).toMatch(new RegExp(`^uploads/${ada.institutionId}/${ada.accountId}/${UUID}\\.jpg$`));
    expect(thumbKey).toBe(key.replace(/\.jpg$/, '.thumb.jpg'));
    expect([await upload(url, fields, 2_097_152), await upload(url, thumbFields, 10)]).toEqual([204, 204]);
    expect([await store.stat(key), await store.stat(thumbKey)]).toMatchObject([{ sizeBytes: 2_097_152 }, { sizeBytes: 10 }]);
    const photo = await fetch(createAddresses(s3.address).presignedGet(key, 60));
    expect((await photo.arrayBuffer()).byteLength).toBe(2_097_152);
  });

  it('is valid only for its two keys, for twelve hours and up to 2 MiB', async () => {
    const before = Date.now();
    const [one, two] = [await issue(GOOD), await issue(GOOD)];
    expect(one.fields['key']).not.toBe(two.fields['key']);
    const { policy = '' } = one.fields;
    const { expiration, conditions } = JSON.parse(Buffer.from(policy, 'base64').toString('utf8'));
    expect(Date.parse(expiration) - before - 12 * 3_600_000).toBeGreaterThanOrEqual(0);
    expect(Date.parse(expiration) - Date.now() - 12 * 3_600_000).toBeLessThanOrEqual(0);
    expect(conditions).toEqual([{ bucket: s3.address.bucket }, { key: one.fields['key'] }, ['content-length-range', 1, 2_097_152]]);
    for (const key of [two.fields['key'], one.thumbFields['key']]) {
      expect(await upload(one.url, { ...one.fields, key: key ?? '' })).toBe(403);
    }
    expect(await upload(one.url, one.fields, 2_097_153)).toBe(400);
    expect(await upload(one.url, { ...one.fields, signature: two.fields['signature'] ?? '' })).toBe(403);
  });

  it.each([
    ['image/png', 'png'],
    ['image/webp', 'webp'],
    ['image/heic', 'heic'],
    ['image/gif', 'gif'],
  ])('takes the extension from the type %s, not from the name', async (filetype, extension) => {
    const { fields, thumbFields } = await issue({ ...GOOD, filename: '../../x.exe', filetype });
    expect(fields['key']).toMatch(new RegExp(`/${UUID}\\.${extension}$`));
    expect(thumbFields['key']).toMatch(new RegExp(`/${UUID}\\.thumb\\.${extension}$`));
  });

  it('reports all problems of the body', async () => {
    await expect(issue({ filename: ' ', filetype: 'text/html', filesize: 2_097_153 })).rejects.toMatchObject({
      code: 'invalid',
      details: {
        filename: ['This field may not be blank.'],
        filetype: ['"text/html" is not a valid choice.'],
        filesize: ['Ensure this value is less than or equal to 2097152.'],
      },
    });
  });

  it.each(['1e3', '1000.0'])('rejects a size written as %s, like any other integer', async (filesize) => {
    const json = JSON.stringify(GOOD).replace(/"filesize":\d+/, `"filesize":${filesize}`);
    await expect(callUnary(reports.client, reports.client.issueUploadToken, { caller: ada, json })).rejects.toMatchObject({
      code: 'invalid',
      details: { filesize: ['A valid integer is required.'] },
    });
  });

  it('is published without its secrets', async () => {
    const bert = callerOf(newId());
    const watch = await watchSubjects(reports.servers.natsUrl, `stechuhr.events.${bert.institutionId}.>`);
    const { fields } = await issue(GOOD, bert);
    const { subject, text } = await watch.next(() => true);
    await watch.stop();
    expect(subject).toBe(`stechuhr.events.${bert.institutionId}.daily-reports.photo.token-issued`);
    expect(JSON.parse(text).data).toEqual({
      id: new RegExp(UUID).exec(fields['key']?.split('/')[3] ?? '')?.[0],
      account_id: bert.accountId,
    });
    for (const secret of [fields['signature'], fields['policy'], GOOD.filename]) expect(text).not.toContain(secret);
  });
});
