import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectBus, prepareBus, SLOT_MAPPING, type Bus } from '@stechuhr/bus';
import { handOverSubject, ingestSubject, inspectionV1, partitionedStreams, slotOf, streams } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { startNats } from '@stechuhr/local-infra';
import { createGrpcClient, createLogger, readStream } from '@stechuhr/service';
import { buildDepartment, buildInstitution, testServers, waitFor, type TestServers } from '@stechuhr/testing';
import { startRecords, type RunningRecords } from './support/running-records.js';

const { ingest } = partitionedStreams;
const logger = createLogger('test', 'fatal');
const limits = new Map(Object.values(streams).map(({ name }) => [name, { maxBytes: 32 * 1_048_576 }]));

/** One institution of each of four partitions, with a department. */
const firms = Array.from({ length: 4 }, (_, partition) => {
  let institution = buildInstitution();
  while (slotOf(institution.id) % 4 !== partition) institution = buildInstitution();
  return { institution, department: buildDepartment({ institution_id: institution.id, name: 'as imported' }) };
});

let servers: TestServers;
let nats: Awaited<ReturnType<typeof startNats>>;
let connection: NatsConnection;
let manager: JetStreamManager;
let bus: Bus;
let records: RunningRecords;
beforeAll(async () => {
  servers = await testServers();
  nats = await startNats({ own: true, configuration: SLOT_MAPPING });
  connection = await connect({ servers: nats.address });
  manager = await jetstreamManager(connection);
  await prepareBus({ servers: nats.address, name: 'prepare', logger, settings: { limits } });
  records = await start();
  bus = await connectBus({ servers: nats.address, name: 'test', logger });
  for (const { institution, department } of firms) await records.importLines(institution, department);
});
afterAll(async () => {
  await bus.close();
  await records.stop();
  await connection.close();
  await nats.stop();
  await servers.stop();
});

const database = `partitions_${newId()}`;
const start = () => startRecords({ ...servers, natsUrl: nats.address }, { database, ingestBackoffMs: [50] });

async function renameAll(name: string): Promise<void> {
  for (const { institution, department } of firms)
    await bus.publish(ingestSubject(institution.id, 'department'), JSON.stringify({ ...department, name }));
  await waitFor(async () => (await namesNow()).every((now) => now === name));
}

async function namesNow(): Promise<(string | undefined)[]> {
  const found = firms.map(({ institution }) => records.departments({ institutionId: institution.id }));
  return (await Promise.all(found)).map(([department]) => department?.name);
}

const untilHandled = () =>
  waitFor(async () => {
    const states = await Promise.all(ingest.streams({ streams: 4 }).map((name) => manager.streams.info(name)));
    return states.every(({ state }) => state.messages === 0);
  });

async function gaps(): Promise<number | undefined> {
  const client = createGrpcClient(inspectionV1.InspectionServiceClient, records.address);
  const looks = await Array.fromAsync(readStream(client, client.inspect, { olderThanSeconds: 0, repair: true }));
  client.close();
  return looks.find(({ check }) => check === 'unseen-live-objects')?.count;
}

it('live objects of a partition that is new win over those that were written from the first one before', async () => {
  await renameAll('from the first partition');
  // The sequences of new streams could also be the same.
  const { config, state } = await manager.streams.info(ingest.stream(0));
  const first = Math.max(Date.now() * 1_000, state.last_seq + 1);
  for (const partition of [1, 2, 3])
    await manager.streams.add({ ...config, name: ingest.stream(partition), subjects: ingest.subjects(partition, []), first_seq: first });
  await prepareBus({ servers: nats.address, name: 'prepare', logger, settings: { limits, partitions: { ingest: 4 } } });

  await renameAll('from its own partition');
  await untilHandled();
  const sequences = await Promise.all(
    [1, 2, 3].map(async (partition) => (await manager.streams.info(ingest.stream(partition))).state.last_seq),
  );
  expect(sequences).toEqual([first, first, first]);
});

it('objects at the same position of several partitions are handed over each', async () => {
  const before = (await manager.streams.info(streams.handovers.name)).state.last_seq;
  for (const { institution } of firms) await bus.publish(ingestSubject(institution.id, 'review_settings'), '{}');
  await untilHandled();
  const after = (await manager.streams.info(streams.handovers.name)).state.last_seq;
  expect(after - before).toBe(firms.length);
});

it('objects are handed over in the partition of their institution', async () => {
  const { handovers } = partitionedStreams;
  await prepareBus({ servers: nats.address, name: 'prepare', logger, settings: { limits, partitions: { handovers: 4 } } });
  const states = () => Promise.all(handovers.streams({ streams: 4 }).map(async (name) => (await manager.streams.info(name)).state));
  // Until the process has noticed it, they are in the first one.
  await waitFor(async () => {
    for (const { institution } of firms) await bus.publish(ingestSubject(institution.id, 'review_settings'), '{}');
    await untilHandled();
    return (await states()).every(({ messages }) => messages > 0);
  });
  for (const [partition, { institution }] of firms.entries()) {
    const { last_seq: seq } = (await states())[partition] ?? {};
    const last = await manager.streams.getMessage(handovers.stream(partition), { seq: seq ?? 0 });
    expect(last?.subject).toBe(handOverSubject(institution.id, 'review_settings'));
  }
});

it('each partition has its clock, and nothing is missing', async () => {
  const clocks = await records.database.collection('ingest_clock').find().toArray();
  expect(clocks.map(({ _id }) => String(_id)).sort()).toEqual(['STECHUHR_INGEST_1', 'STECHUHR_INGEST_2', 'STECHUHR_INGEST_3', 'ingest']);
  expect(await gaps()).toBe(0);
  await records.stop();
  records = await start();
  await renameAll('after a restart');
  expect(await gaps()).toBe(0);
});

it('a backup of the database from before the partitions lacks the objects of each of them', async () => {
  await untilHandled();
  await records.database.collection<{ _id: string }>('ingest_clock').deleteMany({ _id: { $ne: 'ingest' } });
  await records.stop();
  records = await start();
  const behind = { _id: { $ne: 'ingest' }, 'gaps.0': { $exists: true } };
  await waitFor(async () => (await records.database.collection<{ _id: string }>('ingest_clock').countDocuments(behind)) === 3);
  expect(await gaps()).toBe(3);
  expect(await gaps()).toBe(0);
});
