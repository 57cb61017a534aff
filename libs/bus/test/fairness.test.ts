import { randomUUID } from 'node:crypto';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus, type Bus, type BusMessage } from '@stechuhr/bus';
import { ingestSubject, streams } from '@stechuhr/contracts';
import { testServers, waitFor, type TestServers } from '@stechuhr/testing';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const STREAM = streams.ingest.name;
const MANY = 10_000;

let servers: TestServers;
let connection: NatsConnection;
let manager: JetStreamManager;
let bus: Bus;

beforeAll(async () => {
  servers = await testServers();
  connection = await connect({ servers: servers.natsUrl });
  manager = await jetstreamManager(connection);
  bus = await connectBus({ servers: servers.natsUrl, name: 'test', logger: silent });
  await bus.ensureStreams();
});

afterAll(async () => {
  await bus.close();
  await connection.close();
  await servers.stop();
});

/** Messages wait until the test opens the gate; then each is handled at once. */
function consume(
  filterSubject: string,
  options: { readonly concurrency: number; readonly perInstitution?: number; readonly maxAttempts?: number },
) {
  const gate = Promise.withResolvers<void>();
  const started: string[] = [];
  let taken = 0;
  const durable = randomUUID();
  const handler = async (message: BusMessage) => {
    started.push(message.text().slice(0, 8));
    await gate.promise;
  };
  const consumption = bus.consume({
    ...{ stream: STREAM, durable, filterSubject, deadLetter: 'test', maxAttempts: 1 },
    ...{ readAhead: 2 * MANY, handler, ...options },
    // The server counts a message as delivered before it has arrived.
    order: { begin: async () => undefined, arrived: () => void taken++ },
  });
  const held = async () => (await manager.consumers.info(STREAM, durable)).num_ack_pending;
  return { durable, started, held, taken: () => taken, open: () => gate.resolve(), stop: () => consumption.stop() };
}

const publish = (institution: string, kind: string, texts: readonly (string | Uint8Array)[]) =>
  Promise.all(texts.map((text) => bus.publish(ingestSubject(institution, kind), text)));

describe('messages of two institutions', () => {
  it.each([
    { concurrency: 1, perInstitution: 1, position: 1 },
    { concurrency: 4, perInstitution: 3, position: 3 },
  ])('take turns, $concurrency at a time: ten thousand of one delay the other by one slot at most', async ({ position, ...places }) => {
    const kind = randomUUID();
    const { started, taken, open, stop } = consume(`stechuhr.ingest.*.${kind}`, places);
    await publish(
      randomUUID(),
      kind,
      Array.from({ length: MANY }, () => 'many'),
    );
    await waitFor(() => taken() === MANY);
    await publish(randomUUID(), kind, ['single']);
    await waitFor(() => taken() === MANY + 1);
    open();
    await waitFor(() => started.length === MANY + 1);
    expect(started.indexOf('single')).toBe(position);
    await stop();
  });

  it('are not redelivered while they wait', async () => {
    const kind = randomUUID();
    process.env.NATS_ACK_WAIT_SECONDS = '3';
    const { durable, started, taken, open, stop } = consume(`stechuhr.ingest.*.${kind}`, { concurrency: 1 });
    const heartbeats = new Map<string, number>();
    connection.subscribe(`$JS.ACK.${STREAM}.${durable}.>`, {
      callback: (_, { subject, data }) => {
        if (Buffer.from(data).toString() === '+WPI') heartbeats.set(subject, (heartbeats.get(subject) ?? 0) + 1);
      },
    });
    await publish(
      randomUUID(),
      kind,
      Array.from({ length: 500 }, () => 'many'),
    );
    // Three heartbeats are sent in each ack wait.
    await waitFor(() => heartbeats.size === 500 && [...heartbeats.values()].every((count) => count >= 4));
    open();
    await waitFor(() => started.length === 500);
    await stop();
    delete process.env.NATS_ACK_WAIT_SECONDS;
    expect({ taken: taken(), left: (await manager.consumers.info(STREAM, durable)).num_pending }).toEqual({ taken: 500, left: 0 });
  });

  it('are not read ahead beyond 64 MiB', async () => {
    const kind = randomUUID();
    // Repeated, since NATS drops a connection on which a busy machine reads too slowly.
    const { held, started, open, stop } = consume(`stechuhr.ingest.*.${kind}`, { concurrency: 1, maxAttempts: 5 });
    await publish(
      randomUUID(),
      kind,
      Array.from({ length: 80 }, (_, at) => String(at).padEnd(1_000_000)),
    );
    await waitFor(async () => (await held()) >= 60);
    expect(await held()).toBeLessThanOrEqual(67);
    open();
    await waitFor(() => new Set(started).size === 80);
    await stop();
  });
});
