import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connectBus, type Bus } from '@stechuhr/bus';
import { deletionSubject, exportJobSubject, handOverSubject, ingestSubject, streams } from '@stechuhr/contracts';
import { startNats } from '@stechuhr/local-infra';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const INSTITUTION = randomUUID();

const queues = {
  'live objects': ingestSubject(INSTITUTION, 'daily_report_entry'),
  'handed-over objects': handOverSubject(INSTITUTION, 'daily_report_entry'),
  'background exports': exportJobSubject,
  deletions: deletionSubject(INSTITUTION, 'reviews', 'employee'),
};

let nats: Awaited<ReturnType<typeof startNats>>;
let bus: Bus;
let connection: NatsConnection;
let manager: JetStreamManager;

beforeAll(async () => {
  // Its own, because streams are made small.
  nats = await startNats({ own: true });
  bus = await connectBus({ servers: nats.address, name: 'queues', logger: silent });
  await bus.ensureStreams();
  connection = await connect({ servers: nats.address });
  manager = await jetstreamManager(connection);
  for (const { name, retention } of Object.values(streams))
    if (retention === 'workqueue') await manager.streams.update(name, { max_bytes: 10_000 });
});
afterAll(async () => {
  await connection.close();
  await bus.close();
  await nats.stop();
});

/** Whether the queue takes a message. */
const takes = (subject: string): Promise<boolean> =>
  bus.publish(subject, 'x'.repeat(1_000)).then(
    () => true,
    () => false,
  );

describe('a full queue', () => {
  it.each(Object.keys(queues))('of %s leaves the others their room', async (full) => {
    for (const { name } of Object.values(streams)) await manager.streams.purge(name);
    const subject = queues[full as keyof typeof queues];
    let taken = 0;
    while (await takes(subject)) taken += 1;
    expect(taken).toBeGreaterThan(0);
    const open = await Promise.all(Object.entries(queues).map(async ([name, other]) => [name, await takes(other)]));
    expect(Object.fromEntries(open)).toEqual(Object.fromEntries(Object.keys(queues).map((name) => [name, name !== full])));
  });
});
