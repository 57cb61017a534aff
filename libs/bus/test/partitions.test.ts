import { jetstream, jetstreamManager, StorageType, type JetStreamManager } from '@nats-io/jetstream';
import { connect, nanos, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  connectBus,
  connectBusAdmin,
  createEvent,
  prepareBus,
  startOutboxRelay,
  subjectOf,
  type Bus,
  type ConsumeOptions,
  type StoredMessage,
  type StreamSettings,
} from '@stechuhr/bus';
import {
  allStreams,
  layoutOf,
  byPartitioned,
  ONE_PARTITION,
  partitionedStreams,
  PROVISIONING_LOCK,
  slotOf,
  slotsOf,
  streams,
  type CloudEvent,
} from '@stechuhr/contracts';
import { systemClock } from '@stechuhr/kernel';
import { startNats } from '@stechuhr/local-infra';
import { waitFor, watchSubjects } from '@stechuhr/testing';
import { memoryOutbox, soleClaims } from './memory-outbox.js';

const KEPT = 'KEPT';
const ofEvents = partitionedStreams.events;
const silent = { debug() {}, info() {}, warn() {}, error() {} };
// The server sets aside what streams may take.
const limits = new Map(Object.values(streams).map(({ name }) => [name, { maxBytes: 32 * 1_048_576 }]));

let home: string;
let nats: Awaited<ReturnType<typeof startNats>>;
let connection: NatsConnection;
let manager: JetStreamManager;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'partitions-'));
  nats = await startNats({ home, own: true });
  connection = await connect({ servers: nats.address });
  manager = await jetstreamManager(connection);
  // With the last stream the server removes the folder of all, also where another one has just been created.
  await manager.streams.add({ name: KEPT, subjects: ['kept'] });
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  for (const name of await namesOfStreams()) await manager.streams.delete(name);
  // The server removes their files a moment later, and refuses to create another of the same name until then.
  await waitFor(async () => (await readdir(path.join(home, 'data/nats/jetstream/$G/streams'))).length === 1);
});
afterAll(async () => {
  await connection.close();
  await nats.stop();
  await rm(home, { recursive: true });
});

const settingsOf = (partitions?: number): StreamSettings => ({
  limits,
  ...(partitions !== undefined && { partitions: { events: partitions } }),
});

async function upgrade(partitions?: number): Promise<void> {
  await prepareBus({ servers: nats.address, name: 'prepare', logger: silent, settings: settingsOf(partitions) });
}

/** A service as it starts. */
async function start(partitions?: number): Promise<Bus> {
  const bus = await connectBus({ servers: nats.address, name: 'partitions', logger: silent, settings: settingsOf(partitions) });
  closing.push(() => bus.close());
  await bus.ensureStreams();
  return bus;
}

function consume(bus: Bus, more: Partial<ConsumeOptions> = {}): string[] {
  const seen: string[] = [];
  const consumption = bus.consume({
    ...{ stream: streams.events.name, durable: 'mirror', filterSubject: 'stechuhr.events.>', concurrency: 8, maxAttempts: 1 },
    ...{ deadLetter: 'test', handler: async (message) => void seen.push((message.json() as CloudEvent).id), ...more },
  });
  closing.push(() => consumption.stop());
  return seen;
}

const eventOf = (institutionId: string): CloudEvent =>
  createEvent({ type: 'records.employee.changed', institutionId, data: { id: randomUUID() }, clock: systemClock });
const idOf = ({ payload }: StoredMessage): string => (JSON.parse(Buffer.from(payload).toString()) as CloudEvent).id;
const institutions = (count: number): string[] => Array.from({ length: count }, () => randomUUID());
const idsOf = (events: readonly CloudEvent[]): string[] => events.map(({ id }) => id);

async function publishAll(bus: Bus, events: readonly CloudEvent[]): Promise<void> {
  for (const event of events) await bus.publish(subjectOf(event), JSON.stringify(event), { msgId: event.id });
}

/** The events of a stream in its order, as `subject id`. */
async function stored(name: string): Promise<string[]> {
  const { state } = await manager.streams.info(name);
  const found: string[] = [];
  for (let seq = state.first_seq; state.messages > 0 && seq <= state.last_seq; seq++) {
    const message = await manager.streams.getMessage(name, { seq });
    if (message !== null) found.push(`${message.subject} ${message.json<CloudEvent>().id}`);
  }
  return found;
}

async function layoutNow(): Promise<{ readonly partitions?: number; readonly streams?: number; readonly slots: number[][] }> {
  const { config } = await manager.streams.info(ofEvents.stream(0));
  const layout = layoutOf(config.metadata);
  const slots: number[][] = [];
  for (let partition = 0; partition < (layout?.streams ?? 1); partition++)
    slots.push(ofEvents.slotsAmong((await manager.streams.info(ofEvents.stream(partition))).config.subjects));
  return { ...layout, slots };
}

const sharesOf = (partitions: number): number[][] => Array.from({ length: partitions }, (_, partition) => slotsOf(partition, partitions));

async function namesOfStreams(): Promise<string[]> {
  const names: string[] = [];
  for await (const { config } of manager.streams.list()) if (config.name !== KEPT) names.push(config.name);
  return names.sort();
}

describe('events without partitions', () => {
  it('are in one stream with an unchanged configuration, and are published on their own subject', async () => {
    await upgrade();
    const bus = await start();
    const heard = await watchSubjects(nats.address, 'stechuhr.>');
    closing.push(() => heard.stop());
    const event = eventOf(randomUUID());
    await publishAll(bus, [event]);
    await heard.next(({ subject }) => subject === subjectOf(event));
    const { config } = await manager.streams.info(streams.events.name);
    expect(config).toMatchObject({ subjects: ['stechuhr.events.>'], max_bytes: 32 * 1_048_576 });
    expect([config.subject_transform, layoutOf(config.metadata)]).toEqual([undefined, undefined]);
    expect(await namesOfStreams()).toEqual(allStreams(byPartitioned(() => ONE_PARTITION)).sort());
  });
});

describe('the slot of an institution', () => {
  it('is the partition of 64 that the server computes', async () => {
    await manager.streams.add({
      name: 'HASHES',
      subjects: ['hash.*'],
      storage: StorageType.Memory,
      subject_transform: { src: 'hash.*', dest: 'hashed.{{partition(64,1)}}.{{wildcard(1)}}' },
    });
    for (const id of institutions(50)) {
      const { seq } = await jetstream(connection).publish(`hash.${id}`);
      expect((await manager.streams.getMessage('HASHES', { seq }))?.subject).toBe(`hashed.${String(slotOf(id))}.${id}`);
    }
  });
});

describe('events in four partitions', () => {
  it('are in that of their institution, under the subject that they had, in their order, and each once', async () => {
    await upgrade(4);
    const bus = await start();
    const ids = institutions(24);
    const events = Array.from({ length: 3 }, () => ids.map(eventOf)).flat();
    await publishAll(bus, events);
    await publishAll(bus, events);
    for (let partition = 0; partition < 4; partition++) {
      const own = events.filter(({ institutionid }) => slotOf(institutionid) % 4 === partition);
      expect(await stored(ofEvents.stream(partition))).toEqual(own.map((event) => `${subjectOf(event)} ${event.id}`));
    }
  });

  it('have streams of the sizes, ages and filters of the events', async () => {
    await upgrade(4);
    const configs = await Promise.all(
      sharesOf(4).map(async (_, partition) => (await manager.streams.info(ofEvents.stream(partition))).config),
    );
    const { max_age, max_bytes, max_msgs_per_subject, duplicate_window, retention, discard } = configs[0] ?? {};
    for (const config of configs)
      expect(config).toMatchObject({ max_age, max_bytes, max_msgs_per_subject, duplicate_window, retention, discard });
    expect(await layoutNow()).toEqual({ partitions: 4, streams: 4, slots: sharesOf(4) });
  });

  it('reach a consumer once each with shared slots, or only from the first partition if it asks for that', async () => {
    await upgrade(4);
    const bus = await start();
    let [atWork, most] = [0, 0];
    const ids: string[] = [];
    const release = Promise.withResolvers<void>();
    consume(bus, {
      concurrency: 3,
      readAhead: 100,
      handler: async (message) => {
        most = Math.max(most, ++atWork);
        await release.promise;
        ids.push((message.json() as CloudEvent).id);
        atWork -= 1;
      },
    });
    const ofFirst = consume(bus, { durable: 'of-first', firstPartitionOnly: true });
    const events = institutions(40).map(eventOf);
    await publishAll(bus, events);
    await waitFor(() => most === 3);
    release.resolve();
    await waitFor(() => ids.length === events.length);
    expect(ids.toSorted()).toEqual(idsOf(events).toSorted());
    expect(most).toBe(3);
    const wanted = idsOf(events.filter(({ institutionid }) => slotOf(institutionid) % 4 === 0));
    await waitFor(() => ofFirst.length === wanted.length);
    expect(ofFirst.toSorted()).toEqual(wanted.toSorted());
  });

  it('are browsed together, by the time when they were stored, and followed', async () => {
    await upgrade(4);
    const bus = await start();
    const [before, after] = [institutions(30).map(eventOf), institutions(30).map(eventOf)];
    await publishAll(bus, before);
    const admin = await connectBusAdmin({ servers: nats.address, name: 'admin', logger: silent });
    closing.push(() => admin.close());
    const read: StoredMessage[] = [];
    for await (const message of admin.browse({ stream: streams.events.name })) read.push(message);
    expect(read.map(idOf).toSorted()).toEqual(idsOf(before).toSorted());
    const times = read.map(({ storedAt }) => storedAt.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect((await admin.layouts()).events).toEqual({ partitions: 4, streams: 4 });
    const followed: string[] = [];
    const ending = new AbortController();
    const following = (async () => {
      const query = { stream: streams.events.name, follow: true, since: new Date(0), signal: ending.signal };
      for await (const message of admin.browse(query)) followed.push(idOf(message));
    })();
    await waitFor(() => followed.length === before.length);
    await publishAll(bus, after);
    await waitFor(() => followed.length === before.length + after.length);
    expect(followed.slice(before.length)).toHaveLength(after.length);
    expect(new Set(followed)).toEqual(new Set(idsOf([...before, ...after])));
    ending.abort();
    await following;
  });
});

describe('the number of partitions', () => {
  it('may grow while events are followed, which then come from all of them', async () => {
    await upgrade();
    const bus = await start();
    const admin = await connectBusAdmin({ servers: nats.address, name: 'admin', logger: silent });
    closing.push(() => admin.close());
    const followed: string[] = [];
    const ending = new AbortController();
    const following = (async () => {
      for await (const message of admin.browse({ stream: streams.events.name, follow: true, signal: ending.signal }))
        followed.push(idOf(message));
    })();
    try {
      await waitFor(async () => {
        await publishAll(bus, [eventOf(randomUUID())]);
        return followed.length > 0;
      });
      await upgrade(4);
      const events = institutions(40).map(eventOf);
      // In the new streams, also if the bus does not know them yet.
      for (const event of events)
        await jetstream(connection).publish(ofEvents.slotSubject(subjectOf(event)) ?? '', JSON.stringify(event), { msgID: event.id });
      await waitFor(() => events.every(({ id }) => followed.includes(id)), { timeoutMs: 30_000 });
      expect(new Set(followed).size).toBe(followed.length);
    } finally {
      ending.abort();
      await following;
    }
  });

  it('is that of the settings where streams are created, and changes with an upgrade alone', async () => {
    await start(2);
    expect(await layoutNow()).toEqual({ partitions: 2, streams: 2, slots: sharesOf(2) });
    await start(4);
    await upgrade();
    expect(await layoutNow()).toEqual({ partitions: 2, streams: 2, slots: sharesOf(2) });
    await upgrade(4);
    expect(await layoutNow()).toEqual({ partitions: 4, streams: 4, slots: sharesOf(4) });
  });

  it('is that of the settings also if the first attempt to create the streams was interrupted', async () => {
    await manager.streams.add({ name: 'OTHER', subjects: ['stechuhr.slots.>'] });
    await start(4);
    // Another service, which does not have the setting.
    await start();
    expect(await namesOfStreams()).toContain(ofEvents.stream(0));
    await manager.streams.delete('OTHER');
    await waitFor(async () => layoutOf((await manager.streams.info(ofEvents.stream(0))).config.metadata)?.partitions === 4, {
      timeoutMs: 20_000,
    });
  });

  it('may be set by several processes concurrently', async () => {
    await Promise.all(Array.from({ length: 4 }, () => start(8)));
    expect(await layoutNow()).toEqual({ partitions: 8, streams: 8, slots: sharesOf(8) });
  });

  it('stays what an upgrade has made it, though services start all the time', async () => {
    await upgrade();
    const buses = await Promise.all([start(), start()]);
    let isOver = false;
    const starting = buses.map(async (bus) => {
      while (!isOver) await bus.ensureStreams();
    });
    try {
      for (const partitions of [4, 16, 2, 1]) {
        await upgrade(partitions);
        // Each that had begun before has ended.
        await Promise.all(buses.map((bus) => bus.ensureStreams()));
        expect((await layoutNow()).partitions).toBe(partitions);
      }
    } finally {
      isOver = true;
      await Promise.all(starting);
    }
    expect(await layoutNow()).toEqual({ partitions: 1, streams: 16, slots: [slotsOf(0, 1), ...Array<number[]>(15).fill([])] });
  });

  it('changes when the process has died that was at it', async () => {
    await upgrade();
    const dead = { durable_name: PROVISIONING_LOCK, filter_subject: 'stechuhr.events.>', inactive_threshold: nanos(1_000) };
    await manager.consumers.add(ofEvents.stream(0), dead);
    const upgraded = upgrade(2);
    expect(await Promise.race([upgraded, delay(200, 'waits')])).toBe('waits');
    expect((await layoutNow()).partitions).toBeUndefined();
    await upgraded;
    expect((await layoutNow()).partitions).toBe(2);
    for await (const { name } of manager.consumers.list(ofEvents.stream(0))) expect(name).not.toBe(PROVISIONING_LOCK);
  });

  // One, to four, to sixteen, back to two and to one, while events are published and taken.
  it('changes under load, without losing an event or leaving one in its outbox', async () => {
    await upgrade();
    const [publisher, subscriber] = [await start(), await start()];
    const seen = consume(subscriber);
    const ids = institutions(32);
    const all: CloudEvent[] = [];
    const store = memoryOutbox();
    const relay = startOutboxRelay({ stores: [store], claims: soleClaims(), bus: publisher, logger: silent, sweepMs: 200, staleMs: 0 });
    closing.push(() => relay.stop());
    const writing = setInterval(() => {
      for (const id of ids.slice(0, 8)) {
        const event = eventOf(id);
        all.push(event);
        store.documents.set(event.id, [event]);
      }
      ids.push(...ids.splice(0, 8));
    }, 20);
    try {
      for (const partitions of [4, 16, 2, 1]) {
        await upgrade(partitions);
        expect((await layoutNow()).partitions).toBe(partitions);
        // Processes that run notice it by themselves.
        const inSlots = partitions > 1;
        await waitFor(async () => {
          const [before, { partitions: now }] = [all.length, await layoutNow()];
          await waitFor(() => all.length > before + 64);
          return now === partitions && (!inSlots || (await manager.streams.info(ofEvents.stream(1))).state.messages > 0);
        });
      }
    } finally {
      clearInterval(writing);
    }
    await waitFor(async () => (await store.count()) === 0);
    await waitFor(() => new Set(seen).size === all.length);
    expect(new Set(seen)).toEqual(new Set(idsOf(all)));
    // What had been stored in a partition is taken from there, though it gets nothing more.
    expect(await layoutNow()).toEqual({ partitions: 1, streams: 16, slots: [slotsOf(0, 1), ...Array<number[]>(15).fill([])] });
  });

  it('changes without refusing an event that is published only once', async () => {
    await upgrade(4);
    const bus = await start();
    const ids = institutions(64);
    const refused: unknown[] = [];
    let [count, isOver] = [0, false];
    const publishing = ids.map(async (id) => {
      // A pause, because the upgrade would otherwise mostly wait for a server and a process that are busy with events.
      for (; !isOver; count++, await delay(20)) await publishAll(bus, [eventOf(id)]).catch((caught: unknown) => refused.push(caught));
    });
    await waitFor(() => count > ids.length);
    for (const partitions of [16, 2, 8]) await upgrade(partitions);
    isOver = true;
    await Promise.all(publishing);
    expect(refused).toEqual([]);
    const { streams: held } = await layoutNow();
    const all = await Promise.all(
      ofEvents.streams({ streams: held ?? 0 }).map(async (name) => (await manager.streams.info(name)).state.messages),
    );
    expect(all.reduce((sum, one) => sum + one, 0)).toBe(count);
  });

  it('leaves streams behind when it is lowered, which go for good when they are removed, last first', async () => {
    await upgrade(4);
    await upgrade(2);
    expect(await layoutNow()).toEqual({ partitions: 2, streams: 4, slots: [...sharesOf(2), [], []] });
    for (const partition of [3, 2]) await manager.streams.delete(ofEvents.stream(partition));
    await start();
    expect(await layoutNow()).toEqual({ partitions: 2, streams: 2, slots: sharesOf(2) });
  });
});

describe('a stream of a partition', () => {
  const own = (partition: number): CloudEvent =>
    eventOf(institutions(400).find((id) => slotOf(id) % 4 === partition) ?? 'none of four hundred');
  const untilStored = (bus: Bus, event: CloudEvent): Promise<boolean> =>
    waitFor(() =>
      publishAll(bus, [event]).then(
        () => true,
        () => false,
      ),
    );

  it('is created again when it was lost, with its slots', async () => {
    await upgrade(4);
    const bus = await start();
    await publishAll(bus, [own(2)]);
    await manager.streams.delete(ofEvents.stream(2));
    const event = own(2);
    await untilStored(bus, event);
    expect(await stored(ofEvents.stream(2))).toEqual([`${subjectOf(event)} ${event.id}`]);
  });

  it('has its slots again when a version that knows none has started', async () => {
    await upgrade(4);
    const bus = await start();
    await publishAll(bus, [own(0)]);
    // As that does it.
    await manager.streams.update(ofEvents.stream(0), { subjects: ['stechuhr.events.>'] });
    const [early, late] = [own(0), own(0)];
    await untilStored(bus, early);
    // And what it publishes itself is stored, in the first.
    await jetstream(connection).publish(subjectOf(late), JSON.stringify(late));
    expect((await stored(ofEvents.stream(0))).slice(1)).toEqual([early, late].map((event) => `${subjectOf(event)} ${event.id}`));
    expect(await layoutNow()).toEqual({ partitions: 4, streams: 4, slots: sharesOf(4) });
  });
});
