import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connectBus, prepareBus, SLOT_MAPPING, type Bus, type BusMessage, type ConsumeOptions, type StreamSettings } from '@stechuhr/bus';
import { ingestSubject, layoutOf, partitionedStreams, slotOf, slotsOf, streams } from '@stechuhr/contracts';
import { startNats } from '@stechuhr/local-infra';
import { waitFor } from '@stechuhr/testing';

const KEPT = 'KEPT';
const { ingest } = partitionedStreams;
const silent = { debug() {}, info() {}, warn() {}, error() {} };
// The server sets aside what streams may take.
const limits = new Map(Object.values(streams).map(({ name }) => [name, { maxBytes: 32 * 1_048_576 }]));

interface Server {
  readonly address: string;
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  /** Removes all streams of the platform. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

async function startServer(configuration: string): Promise<Server> {
  const home = await mkdtemp(path.join(tmpdir(), 'live-partitions-'));
  const nats = await startNats({ home, own: true, configuration });
  const connection = await connect({ servers: nats.address });
  const manager = await jetstreamManager(connection);
  // With the last stream the server removes the folder of all, also where another one has just been created.
  await manager.streams.add({ name: KEPT, subjects: ['kept'] });
  return {
    ...{ address: nats.address, connection, manager },
    async clear() {
      for await (const { config } of manager.streams.list()) if (config.name !== KEPT) await manager.streams.delete(config.name);
      // The server removes their files a moment later, and refuses to create another of the same name until then.
      await waitFor(async () => (await readdir(path.join(home, 'data/nats/jetstream/$G/streams'))).length === 1);
    },
    async stop() {
      await connection.close();
      await nats.stop();
      await rm(home, { recursive: true });
    },
  };
}

let mapping: Server;
let plain: Server;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  [mapping, plain] = await Promise.all([startServer(SLOT_MAPPING), startServer('')]);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await Promise.all([mapping.clear(), plain.clear()]);
});
afterAll(async () => {
  await Promise.all([mapping.stop(), plain.stop()]);
});

const settingsOf = (partitions?: number): StreamSettings => ({
  limits,
  ...(partitions !== undefined && { partitions: { ingest: partitions } }),
});

async function upgrade({ address }: Server, partitions?: number): Promise<void> {
  await prepareBus({ servers: address, name: 'prepare', logger: silent, settings: settingsOf(partitions) });
}

/** A service as it starts. */
async function start({ address }: Server, partitions?: number): Promise<Bus> {
  const bus = await connectBus({ servers: address, name: 'partitions', logger: silent, settings: settingsOf(partitions) });
  closing.push(() => bus.close());
  await bus.ensureStreams();
  return bus;
}

/** The position of an object among those of its partition. */
interface Taken extends Pick<BusMessage, 'stream' | 'streamSequence' | 'subject'> {
  readonly text: string;
}

function consume(bus: Bus, more: Partial<ConsumeOptions> = {}): Taken[] {
  const taken: Taken[] = [];
  const consumption = bus.consume({
    ...{ stream: streams.ingest.name, durable: 'records', filterSubject: 'stechuhr.ingest.>', concurrency: 8, readAhead: 100 },
    ...{ maxAttempts: 1, deadLetter: 'ingest' },
    handler: async ({ stream, streamSequence, subject, text }) => void taken.push({ stream, streamSequence, subject, text: text() }),
    ...more,
  });
  closing.push(() => consumption.stop());
  return taken;
}

/** Publishes as another system does, which knows of no slots. @returns the stream and the sequence */
async function send({ connection }: Server, institution: string, text = '{}'): Promise<{ stream: string; seq: number }> {
  return jetstream(connection).publish(ingestSubject(institution, 'department'), text, { retries: 100 });
}

const institutions = (count: number): string[] => Array.from({ length: count }, () => randomUUID());
/** An institution of one of four partitions. */
const idOf = (partition: number): string => institutions(400).find((id) => slotOf(id) % 4 === partition) ?? 'none of four hundred';
const partitionOf = (institution: string, partitions: number): string => ingest.stream(slotOf(institution) % partitions);
const sharesOf = (partitions: number): number[][] => Array.from({ length: partitions }, (_, partition) => slotsOf(partition, partitions));

async function layoutNow({
  manager,
}: Server): Promise<{ readonly partitions?: number; readonly streams?: number; readonly slots: number[][] }> {
  const layout = layoutOf((await manager.streams.info(ingest.stream(0))).config.metadata);
  const held = ingest.streams({ streams: layout?.streams ?? 1 }).map(async (name) => (await manager.streams.info(name)).config.subjects);
  return { ...layout, slots: (await Promise.all(held)).map((subjects) => ingest.slotsAmong(subjects)) };
}

describe('live objects without partitions', () => {
  it.each([
    ['adds slots', () => mapping],
    ['does not', () => plain],
  ])('are in one stream where the server %s, under the subject that they had', async (_, serverOf) => {
    const server = serverOf();
    const bus = await start(server);
    const taken = consume(bus);
    const ids = institutions(20);
    for (const id of ids) expect((await send(server, id)).stream).toBe(streams.ingest.name);
    await waitFor(() => taken.length === ids.length);
    expect(taken.map(({ subject }) => subject).sort()).toEqual(ids.map((id) => ingestSubject(id, 'department')).sort());
    expect(await layoutNow(server)).toEqual({ partitions: 1, streams: 1, slots: sharesOf(1) });
  });

  it('stay in the stream of a version that knows none', async () => {
    await mapping.manager.streams.add({ name: streams.ingest.name, subjects: ['stechuhr.ingest.>'], retention: 'workqueue' });
    // Its only subject that the server does not change.
    await jetstream(mapping.connection).publish('stechuhr.ingest.none', '1');
    await upgrade(mapping);
    const { seq, stream } = await send(mapping, randomUUID());
    expect([stream, seq]).toEqual([streams.ingest.name, 2]);
  });

  it('keep their share of the stream, whichever subject they came on', async () => {
    await start(mapping);
    await mapping.manager.streams.update(streams.ingest.name, { max_msgs_per_subject: 3 });
    const [full, other] = [randomUUID(), randomUUID()];
    for (let count = 0; count < 3; count += 1) await send(mapping, full);
    await expect(send(mapping, full)).rejects.toThrow('maximum messages per subject exceeded');
    await expect(send(mapping, other)).resolves.toBeDefined();
  });
});

describe('live objects in four partitions', () => {
  it('are in that of their institution, and reach one consumer once each', async () => {
    await upgrade(mapping, 4);
    const taken = consume(await start(mapping));
    const ids = institutions(40);
    for (const id of ids) expect((await send(mapping, id)).stream).toBe(partitionOf(id, 4));
    await waitFor(() => taken.length === ids.length);
    expect(taken.map(({ subject, stream }) => `${subject} ${stream}`).sort()).toEqual(
      ids.map((id) => `${ingestSubject(id, 'department')} ${partitionOf(id, 4)}`).sort(),
    );
    expect(await layoutNow(mapping)).toEqual({ partitions: 4, streams: 4, slots: sharesOf(4) });
  });

  it('have streams with the limits of the first', async () => {
    await upgrade(mapping, 4);
    const configs = await Promise.all(
      ingest.streams({ streams: 4 }).map(async (name) => (await mapping.manager.streams.info(name)).config),
    );
    const { max_bytes, max_msgs_per_subject, duplicate_window, retention, discard, discard_new_per_subject } = configs[0] ?? {};
    for (const config of configs)
      expect(config).toMatchObject({ max_bytes, max_msgs_per_subject, duplicate_window, retention, discard, discard_new_per_subject });
    expect([retention, discard, discard_new_per_subject, max_msgs_per_subject]).toEqual(['workqueue', 'new', true, 100_000]);
  });

  it('do not wait for those of another institution, in the same partition or in another one', async () => {
    await upgrade(mapping, 4);
    const [busy, neighbour, other] = [1, 1, 2].map(idOf) as [string, string, string];
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    consume(await start(mapping), {
      ...{ concurrency: 1, readAhead: 400 },
      handler: async ({ subject }) => {
        await gate.promise;
        order.push(subject.split('.')[2] ?? '');
      },
    });
    const waiting = async (): Promise<number> => {
      const infos = ingest.streams({ streams: 4 }).map((name) => mapping.manager.consumers.info(name, 'records').catch(() => undefined));
      return (await Promise.all(infos)).reduce((sum, info) => sum + (info?.num_ack_pending ?? 0), 0);
    };
    try {
      for (let count = 0; count < 200; count += 1) await send(mapping, busy);
      for (const institution of [neighbour, other]) await send(mapping, institution);
      await waitFor(async () => (await waiting()) === 202);
    } finally {
      gate.resolve();
    }
    await waitFor(() => order.length === 202);
    expect([order.indexOf(neighbour), order.indexOf(other)].map((at) => at < 4)).toEqual([true, true]);
  });

  it('become dead letters if they name no institution', async () => {
    await upgrade(mapping, 4);
    const { stream } = await jetstream(mapping.connection).publish('stechuhr.ingest.department', '{}');
    expect(stream).toBe(streams.ingest.name);
  });
});

describe('the number of partitions of live objects', () => {
  it('is not raised where the server adds no slots, and nothing changes', async () => {
    await upgrade(plain);
    await expect(upgrade(plain, 4)).rejects.toThrow(SLOT_MAPPING);
    await start(plain);
    expect(await layoutNow(plain)).toEqual({ partitions: 1, streams: 1, slots: sharesOf(1) });
    await expect(plain.manager.streams.info(ingest.stream(1))).rejects.toThrow('stream not found');
    expect((await send(plain, randomUUID())).stream).toBe(streams.ingest.name);
  });

  it('is not lowered: older streams assign lower sequences', async () => {
    await upgrade(mapping, 4);
    await expect(upgrade(mapping, 2)).rejects.toThrow(
      'The 4 partitions of ingest in NATS_STREAMS cannot become 2: their number can only be raised.',
    );
    await upgrade(mapping);
    expect(await layoutNow(mapping)).toMatchObject({ partitions: 4, slots: sharesOf(4) });
  });

  it('is that of the settings where streams are created, and changes with an upgrade alone', async () => {
    await start(mapping, 2);
    expect(await layoutNow(mapping)).toEqual({ partitions: 2, streams: 2, slots: sharesOf(2) });
    await start(mapping, 4);
    expect(await layoutNow(mapping)).toEqual({ partitions: 2, streams: 2, slots: sharesOf(2) });
  });

  it('is completed by the next process if one was interrupted while it created streams', async () => {
    await upgrade(mapping, 2);
    const { config } = await mapping.manager.streams.info(ingest.stream(1));
    await mapping.manager.streams.add({
      ...config,
      name: ingest.stream(2),
      subjects: ingest.subjects(2, []),
      first_seq: Date.now() * 1_000,
    });
    await start(mapping);
    expect(await layoutNow(mapping)).toEqual({ partitions: 4, streams: 4, slots: sharesOf(4) });
  });

  // Of two objects for one record, the one with the higher sequence wins.
  it('grows under load, without losing an object, and later objects of an institution have higher sequences', async () => {
    await upgrade(mapping);
    const taken = consume(await start(mapping));
    const ids = institutions(24);
    let [count, isOver] = [0, false];
    const sending = ids.map(async (id) => {
      for (let number = 0; !isOver; number += 1, count += 1) await send(mapping, id, String(number));
    });
    try {
      for (const partitions of [2, 4, 16]) {
        const before = count;
        await waitFor(() => count > before + 200);
        await upgrade(mapping, partitions);
      }
      const before = count;
      await waitFor(() => count > before + 200);
    } finally {
      isOver = true;
      await Promise.all(sending);
    }
    await waitFor(() => taken.length >= count);
    expect(taken).toHaveLength(count);
    for (const id of ids) {
      const own = taken.filter(({ subject }) => subject === ingestSubject(id, 'department'));
      const bySequence = own.toSorted((a, b) => a.streamSequence - b.streamSequence).map(({ text }) => Number(text));
      expect(bySequence).toEqual(own.map((_, number) => number));
    }
    expect(new Set(taken.map(({ stream }) => stream)).size).toBeGreaterThan(4);
  });
});

describe('a stream of live objects', () => {
  it.each([0, 2])('is created again when it was lost, with its slots and higher sequences: partition %i', async (partition) => {
    await upgrade(mapping, 4);
    const bus = await start(mapping);
    const before = await send(mapping, idOf(partition));
    await mapping.manager.streams.delete(ingest.stream(partition));
    await bus.ensureStreams();
    const after = await send(mapping, idOf(partition));
    expect([after.stream, after.seq > before.seq]).toEqual([ingest.stream(partition), true]);
    expect(await layoutNow(mapping)).toEqual({ partitions: 4, streams: 4, slots: sharesOf(4) });
  });

  it('has its slots again when a version that knows none has started', async () => {
    await upgrade(mapping);
    await mapping.manager.streams.update(ingest.stream(0), { subjects: ['stechuhr.ingest.>'] });
    await start(mapping);
    expect((await send(mapping, randomUUID())).stream).toBe(ingest.stream(0));
  });
});

describe('hand-overs', () => {
  it('keep their partitions if the first stream was lost, where the settings name their number', async () => {
    const { handovers } = partitionedStreams;
    const settings: StreamSettings = { limits, partitions: { handovers: 4 } };
    await prepareBus({ servers: plain.address, name: 'prepare', logger: silent, settings });
    await plain.manager.streams.delete(handovers.stream(0));
    const bus = await connectBus({ servers: plain.address, name: 'partitions', logger: silent, settings });
    closing.push(() => bus.close());
    await bus.ensureStreams();
    const subjects = handovers.streams({ streams: 4 }).map(async (name) => (await plain.manager.streams.info(name)).config.subjects);
    expect((await Promise.all(subjects)).map((own) => handovers.slotsAmong(own))).toEqual(sharesOf(4));
  });

  it('can have fewer partitions than before', async () => {
    const { handovers } = partitionedStreams;
    for (const count of [4, 1]) {
      const settings: StreamSettings = { limits, partitions: { handovers: count } };
      await prepareBus({ servers: plain.address, name: 'prepare', logger: silent, settings });
    }
    const { config } = await plain.manager.streams.info(handovers.stream(0));
    expect([layoutOf(config.metadata), handovers.slotsAmong(config.subjects)]).toEqual([{ partitions: 1, streams: 4 }, slotsOf(0, 1)]);
  });
});

describe('where there is no room for another stream', () => {
  it('a new installation has one for all live objects', async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'no-room-'));
    const store = `jetstream { store_dir: ${JSON.stringify(path.join(home, 'data/nats'))}, max_file_store: 512MB }`;
    const nats = await startNats({ home, own: true, configuration: `${store}\n${SLOT_MAPPING}\n` });
    const connection = await connect({ servers: nats.address });
    try {
      const large = new Map(limits).set(streams.ingest.name, { maxBytes: 200 * 1_048_576 });
      const settings = { limits: large, partitions: { ingest: 2 } };
      await expect(prepareBus({ servers: nats.address, name: 'prepare', logger: silent, settings })).rejects.toThrow('insufficient');
      const { stream } = await jetstream(connection).publish(ingestSubject(idOf(1), 'department'), '{}');
      expect(stream).toBe(streams.ingest.name);
    } finally {
      await connection.close();
      await nats.stop();
      await rm(home, { recursive: true });
    }
  });
});

describe('where the server no longer adds slots', () => {
  it('live objects are refused: in the first partition they would count as older than those before', async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'unmapped-'));
    const options = { home, own: true };
    let nats = await startNats({ ...options, configuration: SLOT_MAPPING });
    await prepareBus({ servers: nats.address, name: 'prepare', logger: silent, settings: settingsOf(2) });
    await nats.stop();
    nats = await startNats(options);
    const connection = await connect({ servers: nats.address });
    try {
      for (const partition of [0, 1]) {
        const subject = ingestSubject(idOf(partition), 'department');
        // What the client says of a subject that no stream has.
        await expect(jetstream(connection).publish(subject, '{}')).rejects.toThrow('jetstream is not enabled');
      }
      const prepared = prepareBus({ servers: nats.address, name: 'prepare', logger: silent, settings: settingsOf(4) });
      await expect(prepared).rejects.toThrow(SLOT_MAPPING);
    } finally {
      await connection.close();
      await nats.stop();
      await rm(home, { recursive: true });
    }
  });
});
