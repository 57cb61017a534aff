import { readFile } from 'node:fs/promises';
import { commonV1, dailyReportsV1 } from '@stechuhr/contracts';
import type { Demo, Photo, PhotoKeys, ReportDay, ReportEntryRecord } from '@stechuhr/demo-firm';
import { callUnary, readStream } from '@stechuhr/service';
import { Failure } from '../failure.js';
import { grpcClient } from '../grpc-client.js';
import { explainUnavailable } from '../explain-unavailable.js';

type Client = dailyReportsV1.DailyReportsServiceClient;

const ARCHIVED = dailyReportsV1.ReportStatus.REPORT_STATUS_ARCHIVED;
const ALL = { limit: 1_000, offset: 0 };
const SIDE_BY_SIDE = 4;

/**
 * What the apps and the time tracking would do after a working day: hours and activities are filled in, and photos are uploaded with tokens. Skips
 * what an earlier run has done already.
 * @returns entries of photos that are still to be imported
 */
export async function completeReports(address: string, demo: Demo, note: (text: string) => void): Promise<readonly ReportEntryRecord[]> {
  const client = grpcClient(dailyReportsV1.DailyReportsServiceClient, address);
  const { days, photos } = demo.reports();
  try {
    await fillFromTracking(client, callerOf(demo), days);
    const missing = await missingPhotos(client, callerOf(demo), photos);
    const entries = await mapConcurrently(missing, (photo) => uploaded(client, demo, photo));
    if (entries.includes(undefined))
      note('Photos are skipped: the address of the object store that clients use cannot be reached from here.');
    return entries.filter((entry) => entry !== undefined);
  } catch (caught) {
    throw Failure.fromPlatform(explainUnavailable(caught, { 'daily-reports': address }));
  } finally {
    client.close();
  }
}

async function fillFromTracking(client: Client, caller: commonV1.Caller, days: readonly ReportDay[]): Promise<void> {
  await mapConcurrently(days, async ({ tagId, date }) => {
    const { status } = await callUnary(client, client.getStatus, { caller, parameters: { tag: tagId, date } }, { idempotent: true });
    if (status === ARCHIVED) return;
    const json = JSON.stringify({ tag: tagId, date });
    await callUnary(client, client.autofill, { caller, json, mayApprove: true }, { idempotent: true });
  });
}

async function missingPhotos(client: Client, caller: commonV1.Caller, photos: readonly Photo[]): Promise<readonly Photo[]> {
  if (photos.length === 0) return [];
  const parameters = { ids: photos.map(({ id }) => id).join('|') };
  const known = new Set<string>();
  for await (const { entries } of readStream(client, client.listEntries, { caller, parameters, ...ALL })) {
    for (const { id } of entries) known.add(id);
  }
  return photos.filter(({ id }) => !known.has(id));
}

/** @returns the entry of the photo; undefined if it cannot be uploaded from this machine */
async function uploaded(client: Client, demo: Demo, photo: Photo): Promise<ReportEntryRecord | undefined> {
  const [jpeg, preview] = await Promise.all([readFile(photo.file), readFile(photo.previewFile)]);
  const body = { filename: `${photo.id}.jpg`, filetype: 'image/jpeg', filesize: jpeg.byteLength };
  const caller = { ...callerOf(demo), accountId: photo.report.foreman.accountId };
  const token = await callUnary(client, client.issueUploadToken, { caller, json: JSON.stringify(body) });
  const reached = await Promise.all([upload(token.url, token.fields, jpeg), upload(token.url, token.thumbFields, preview)]);
  return reached.includes(false) ? undefined : photo.entry(keysOf(token));
}

function keysOf({ fields, thumbFields }: dailyReportsV1.IssueUploadTokenResponse): PhotoKeys {
  return { image_key: fields['key'] ?? '', thumb_key: thumbFields['key'] ?? '' };
}

/** @returns whether the store could be reached; its address is meant for clients, which may be in another network */
async function upload(url: string, fields: Readonly<Record<string, string>>, jpeg: Buffer): Promise<boolean> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' }), 'photo.jpg');
  const response = await fetch(url, { method: 'POST', body: form }).catch(() => undefined);
  if (response === undefined) return false;
  const answer = await response.text();
  if (!response.ok) throw new Failure(`A photo could not be uploaded: the store answers ${response.status}. ${answer}`, 1);
  return true;
}

function callerOf({ institutionId, accountId }: Demo): commonV1.Caller {
  return { institutionId, accountId, visibility: { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects: undefined } };
}

/** Runs the work for several items concurrently; the results keep the order of the items. */
async function mapConcurrently<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  return results;
}
