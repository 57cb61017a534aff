import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus, type Bus } from '@stechuhr/bus';
import { ingestSubject, streams } from '@stechuhr/contracts';
import { createLogger } from '@stechuhr/service';
import { waitFor } from '@stechuhr/testing';
import { Redis } from 'ioredis';
import { entryLine } from './support/daily-reports.js';
import { call, query } from './support/http.js';
import { Organization } from './support/organization.js';
import { startTestPlatform, type TestPlatform } from './support/platform.js';
import { finishedTask } from './support/tasks.js';

// Tests docs/backup-and-restore.md with copies of the three stores from different times, in the order S3, MongoDB, NATS. Docker is
// disabled, because the data of containers would be in volumes instead of the home.
process.env['DOCKER_HOST'] = 'unix:///nonexistent';

const org = new Organization(93);
const [ADMIN, ANNA, SITE, FORM, PHOTO] = [1, 2, 3, 4, 5];
/** Projects that were published as live objects. The names say which copies contain them. */
const LIVE = { inAllCopies: 0x21, notInMongo: 0x22, inNoCopy: 0x23, afterRestore: 0x24 } as const;
const SERVICES = ['records', 'exports', 'absence-rules', 'reviews', 'gateway', 'tasks', 'worker', 'daily-reports', 'webhooks'];
/** Callers start before the services that they call, so that no service finds its peers at the start. */
const CALLERS_FIRST = ['gateway', 'worker', 'exports', 'webhooks', 'daily-reports', 'reviews', 'absence-rules', 'tasks', 'records'];
const CLOSED_MONTH = { daterange: '2026-02-01|2026-02-28', types: 'workday:hours', columns: 'last-name|date|value' };

let platform: TestPlatform;
let token: string;
let bus: Bus;
let nats: NatsConnection;

beforeAll(async () => {
  platform = await startTestPlatform({}, SERVICES.slice(5), { mongodb: true });
  nats = await connect({ servers: platform.infra.natsUrl, maxReconnectAttempts: -1 });
  bus = await connectBus({ servers: platform.infra.natsUrl, name: 'erp', logger: createLogger('erp', 'fatal') });
});
afterAll(async () => {
  await bus.close();
  await nats.close();
  await platform.stop();
});

const at = (path: string): string => `${platform.baseUrl}/${path}`;
const asked = () => call(at(`exports/generic/?${query({ ...CLOSED_MONTH, response_only: 'true' })}`), { token });
const exported = async (): Promise<string> => (await asked()).text;
const projectOf = (n: number) => call(at(`projects/projects/${org.id(n)}/`), { token });
/** Publishes a project and waits until it is stored, so that a copy of the stream no longer contains it. */
async function publishSeen(n: number): Promise<void> {
  const project = JSON.stringify(org.project(n, `L-${String(n)}`));
  await waitFor(() => bus.publish(ingestSubject(org.id(0), 'project'), project).then(() => true));
  await waitFor(async () => (await projectOf(n)).status === 200);
  const manager = await jetstreamManager(nats, { checkAPI: false });
  await waitFor(async () => (await manager.streams.info(streams.ingest.name)).state.messages === 0);
}

const folderOf = (store: 'mongodb' | 'nats' | 's3', from = 'data'): string => join(platform.home, from, store);

/** Copies the data of a server while it is paused. */
async function backUp(store: 'mongodb' | 'nats' | 's3'): Promise<void> {
  const server = platform.infra.servers[store];
  await server.kill();
  cpSync(folderOf(store), folderOf(store, 'backup'), { recursive: true });
  await server.restart();
  await waitFor(async () => (await asked()).status === 200);
}

async function restore(): Promise<void> {
  const { mongodb, nats, s3 } = platform.infra.servers;
  for (const name of CALLERS_FIRST) await platform.service(name).kill('SIGKILL');
  await Promise.all([mongodb.kill(), nats.kill(), s3.kill()]);
  for (const store of ['mongodb', 'nats', 's3'] as const) {
    rmSync(folderOf(store), { recursive: true });
    cpSync(folderOf(store, 'backup'), folderOf(store), { recursive: true });
  }
  await Promise.all([mongodb.restart(), nats.restart(), s3.restart()]);
  const redis = new Redis(platform.infra.redisUrl);
  await redis.flushdb();
  redis.disconnect();
  await Promise.all(CALLERS_FIRST.map((name) => platform.service(name).restart()));
}

interface Form {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Uploads a photo. @returns its key */
async function uploadPhoto(): Promise<string> {
  const body = JSON.stringify({ filename: 'a.jpg', filetype: 'image/jpeg', filesize: 5 });
  const headers = { 'content-type': 'application/json' };
  const { json } = await call(at('daily-reports/entries/upload-photo-token/'), { method: 'POST', token, headers, body });
  const { url, fields } = json as Form;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob(['photo'], { type: 'image/jpeg' }), 'a.jpg');
  expect((await fetch(url, { method: 'POST', body: form })).status).toBe(204);
  return fields['key'] ?? '';
}

interface Finding {
  readonly name: string;
  readonly state: string;
  readonly detail: string;
}

async function doctor(...options: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await platform.cli(['doctor', '--json', '--older-than', '0', ...options]);
  return (JSON.parse(stdout) as Finding[]).filter(({ state }) => state === 'failed').map(({ name, detail }) => `${name}: ${detail}`);
}

describe('copies of the stores from different moments', () => {
  it('can be restored: later acknowledged objects are not dropped, and missing data is reported', async () => {
    const form = { kind: 'daily_report_form', id: org.id(FORM), institution_id: org.id(0), valid_from: '2026-01-01' };
    const lines = [
      org.institution(),
      org.account(ADMIN, 'admin'),
      org.employee(ANNA, 'Anna', 'Keil'),
      org.shift(0x10, ANNA, { date: '2026-02-02', start: '08:00', end: '16:30' }),
      org.project(SITE, 'S-1'),
      { ...form, fields: [{ id: 'photos', type: 'image', label: 'Fotos' }] },
    ];
    expect(await platform.importLines(lines)).toMatchObject({ rejected: [] });
    token = await platform.issueToken(org.id(ADMIN));
    const payroll = await exported();
    expect(payroll).toContain('Keil,2026-02-02,8.5');
    await publishSeen(LIVE.inAllCopies);

    await backUp('s3');
    const key = await uploadPhoto();
    const values = { field_id: 'photos', type: 'image', image_id: 'p1', image_key: key, thumb_key: null, taken_at: null };
    const photo = entryLine(org, PHOTO, { project: SITE, date: '2026-02-02', author: ADMIN }, values);
    const task = at(`exports/generic/?${query({ ...CLOSED_MONTH, is_async: 'true' })}`);
    await finishedTask(task, token);
    // The last write is acknowledged. Unacknowledged ones may be visible before they are on disk, and would be missing in a copy of the
    // files.
    expect(await platform.importLines([photo])).toMatchObject({ rejected: [] });

    await backUp('mongodb');
    await publishSeen(LIVE.notInMongo);
    await backUp('nats');
    await publishSeen(LIVE.inNoCopy);

    await restore();
    await waitFor(async () => (await exported()) === payroll);
    // The sequence number of the next object does not continue that in the database, but the object must be handled.
    await publishSeen(LIVE.afterRestore);
    expect((await projectOf(LIVE.inAllCopies)).status).toBe(200);
    expect((await projectOf(LIVE.notInMongo)).status).toBe(404);

    const missing = await doctor();
    expect(missing).toEqual([
      expect.stringMatching(/^records stores: .*: 1 gaps in the sequence of live objects that the database has seen/),
      expect.stringMatching(/^tasks stores: .*: 1 finished exports whose file is not in S3/),
      expect.stringMatching(/^daily-reports stores: .*: 1 photos of daily reports that are not in S3/),
    ]);

    // The publisher repeats the objects that it had sent after the backup.
    await publishSeen(LIVE.notInMongo);
    await publishSeen(LIVE.inNoCopy);
    await doctor('--repair');
    expect(await doctor()).toEqual([expect.stringContaining('photos of daily reports that are not in S3')]);
    // An export with a missing file is run again when it is requested.
    await waitFor(() => finishedTask(task, token));
    expect(await exported()).toBe(payroll);
  });
});
