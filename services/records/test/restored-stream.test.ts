import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus, connectBusAdmin, type Bus } from '@stechuhr/bus';
import { ingestSubject, inspectionV1, streams } from '@stechuhr/contracts';
import { startNats } from '@stechuhr/local-infra';
import { createGrpcClient, createLogger, readStream } from '@stechuhr/service';
import { buildDepartment, buildInstitution, testServers, waitFor, type TestServers } from '@stechuhr/testing';
import { startRecords, type RunningRecords } from './support/running-records.js';

const institution = buildInstitution();
const department = buildDepartment({ institution_id: institution.id, name: 'as imported' });

let servers: TestServers;
let home: string;
let nats: Awaited<ReturnType<typeof startNats>>;
let records: RunningRecords;
let bus: Bus;
beforeAll(async () => {
  servers = await testServers();
  home = await mkdtemp(path.join(tmpdir(), 'restored-'));
  nats = await startNats({ home, own: true });
  records = await start();
  bus = await connectBus({ servers: nats.address, name: 'test', logger: createLogger('test', 'fatal') });
  await records.importLines(institution, department);
});
afterAll(async () => {
  await bus.close();
  await records.stop();
  await nats.stop();
  await rm(home, { recursive: true });
  await servers.stop();
});

const database = `records_${institution.id}`;
const start = () => startRecords({ ...servers, natsUrl: nats.address }, { database, ingestBackoffMs: [50] });
const stored = () => path.join(home, 'data/nats/jetstream');
const copy = () => path.join(home, 'copy');

/** Sends a new name of the department until the stream has acknowledged it. */
async function rename(name: string): Promise<void> {
  const payload = JSON.stringify({ ...department, name });
  const publish = () => bus.publish(ingestSubject(institution.id, 'department'), payload, { msgId: name });
  await waitFor(() =>
    publish().then(
      () => true,
      () => false,
    ),
  );
}

async function isRenamed(name: string): Promise<void> {
  const names = async () => (await records.departments({ institutionId: institution.id })).map((one) => one.name);
  await waitFor(async () => (await names()).includes(name));
}

/** Messages are acknowledged shortly after their write; without waiting, they would be delivered again. */
async function hasLeftTheStream(): Promise<void> {
  const admin = await connectBusAdmin({ servers: nats.address, name: 'test', logger: createLogger('test', 'fatal') });
  const isEmpty = async () => (await admin.stream(streams.ingest.name))?.messages === 0;
  await waitFor(isEmpty).finally(() => admin.close());
}

/** Replaces the storage of the stream with an older copy. */
async function restore(): Promise<void> {
  await whileDown(async () => {
    await rm(stored(), { recursive: true });
    await cp(copy(), stored(), { recursive: true });
  });
}

async function whileDown(work: () => Promise<void>): Promise<void> {
  await nats.kill();
  await waitFor(() => !bus.isConnected());
  await work();
  await nats.restart();
  await waitFor(() => bus.isConnected());
}

describe('an older copy of the stream of live objects', () => {
  it('loses no change that was acknowledged after the replacement', async () => {
    await rename('before the copy');
    await isRenamed('before the copy');
    await whileDown(() => cp(stored(), copy(), { recursive: true }));
    for (let change = 1; change <= 5; change += 1) await rename(`change ${String(change)}`);
    await isRenamed('change 5');

    await restore();
    await rename('after the restore');
    await isRenamed('after the restore');
  });

  it('loses no change that was acknowledged before the service restarted', async () => {
    await records.stop();
    await restore();
    await rename('while nobody looked');
    records = await start();
    await isRenamed('while nobody looked');
    await rename('and after that');
    await isRenamed('and after that');
  });

  it('does not restore states that were overtaken before the copy was made', async () => {
    const names = await records.departments({ institutionId: institution.id });
    expect(names.map(({ name }) => name)).toEqual(['and after that']);
    const clock = await records.database.collection('ingest_clock').findOne();
    expect(clock?.['continuations']).toHaveLength(2);
  });

  it('is reported by `doctor`, like an older copy of the database, until an operator acknowledges it', async () => {
    const gaps = async (repair = false) => {
      const client = createGrpcClient(inspectionV1.InspectionServiceClient, records.address);
      const looks = await Array.fromAsync(readStream(client, client.inspect, { olderThanSeconds: 0, repair }));
      client.close();
      return looks.find(({ check }) => check === 'unseen-live-objects')?.count;
    };
    expect([await gaps(true), await gaps()]).toEqual([2, 0]);
    const clocks = records.database.collection('ingest_clock');
    const before = await clocks.findOne();
    await rename('after the backup');
    await isRenamed('after the backup');
    await hasLeftTheStream();
    await clocks.replaceOne({}, before ?? {});
    await records.stop();
    records = await start();
    await waitFor(async () => (await gaps()) === 1);
    expect([await gaps(true), await gaps()]).toEqual([1, 0]);
  });
});
