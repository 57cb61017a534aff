import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  connectBus,
  createEvent,
  deletionConsumers,
  startOutboxRelay,
  subjectOf,
  type Bus,
  type Consumption,
  type Deletion,
} from '@stechuhr/bus';
import { deletionSubject, eventSubject, streams, type CloudEvent, type EventType } from '@stechuhr/contracts';
import { systemClock } from '@stechuhr/kernel';
import { startNats } from '@stechuhr/local-infra';
import { waitFor, watchSubjects } from '@stechuhr/testing';
import { memoryOutbox, soleClaims } from './memory-outbox.js';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const SMALL = 100_000;

let nats: Awaited<ReturnType<typeof startNats>>;
let bus: Bus;
let connection: NatsConnection;
let manager: JetStreamManager;
const running: Consumption[] = [];

beforeAll(async () => {
  // Its own, because streams are made small.
  nats = await startNats({ own: true });
  bus = await connectBus({ servers: nats.address, name: 'deletions', logger: silent });
  await bus.ensureStreams();
  connection = await connect({ servers: nats.address });
  manager = await jetstreamManager(connection);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((consumption) => consumption.stop()));
});
afterAll(async () => {
  await connection.close();
  await bus.close();
  await nats.stop();
});

const eventOf = (type: EventType): CloudEvent =>
  createEvent({ type, institutionId: randomUUID(), data: { id: randomUUID() }, clock: systemClock });

/** Writes events into an outbox, as records does, whose relay publishes them. */
async function written(events: readonly CloudEvent[]) {
  const store = memoryOutbox(new Map(events.map((event, at) => [String(at), [event]])));
  const relay = startOutboxRelay({ stores: [store], claims: soleClaims(), bus, logger: silent, sweepMs: 50, staleMs: 0 });
  return { waiting: () => store.count(), stop: () => relay.stop() };
}

async function published(events: readonly CloudEvent[]): Promise<void> {
  const relay = await written(events);
  await waitFor(async () => (await relay.waiting()) === 0);
  await relay.stop();
}

/** The ids of deleted employees that a service gets. */
function listen(service: string, handled: Promise<void> = Promise.resolve()): string[] {
  const seen: string[] = [];
  const handler = async ({ id }: Deletion): Promise<void> => {
    seen.push(id);
    await handled;
  };
  const consumers = deletionConsumers({ service, kind: 'employee', handler });
  running.push(...consumers.map((consumer) => bus.consume(consumer)));
  return seen;
}

describe('deletions', () => {
  it('are handled in an institution whose id has the form of a UUID, but neither version nor variant', async () => {
    const deletion = { ...eventOf('records.employee.deleted'), institutionid: '0a1b2c3d-0000-0000-0000-000000000001' };
    await published([deletion]);
    const seen = listen('tasks');
    await waitFor(() => seen.includes(deletion.data.id));
  });

  it('stay for the services that have not handled them when other events fill their stream', async () => {
    const { config } = await manager.streams.info(streams.events.name);
    await manager.streams.update(streams.events.name, { max_bytes: SMALL });
    const deletion = eventOf('records.employee.deleted');
    await published([deletion]);
    await published(Array.from({ length: 400 }, () => eventOf('records.employee.changed')));
    const { state } = await manager.streams.info(streams.events.name, { subjects_filter: subjectOf(deletion) });
    expect(state.subjects).toBeUndefined();
    for (const service of ['reviews', 'tasks', 'absence-rules']) {
      const seen = listen(service);
      await waitFor(() => seen.includes(deletion.data.id));
    }
    await waitFor(async () => (await manager.streams.info(streams.deletions.name)).state.messages === 0);
    await manager.streams.update(streams.events.name, { max_bytes: config.max_bytes });
  });

  it('wait in the outbox while their queue is full, and are published when it has room', async () => {
    const { config } = await manager.streams.info(streams.deletions.name);
    await manager.streams.update(streams.deletions.name, { max_bytes: 10_000 });
    const deletions = Array.from({ length: 20 }, () => eventOf('records.employee.deleted'));
    const relay = await written(deletions);
    await waitFor(async () => (await manager.streams.info(streams.deletions.name)).state.bytes > 9_000);
    expect(await relay.waiting()).toBeGreaterThan(0);
    const seen = ['reviews', 'tasks', 'absence-rules'].map((service) => listen(service));
    for (const ids of seen) await waitFor(() => deletions.every(({ data }) => ids.includes(data.id)));
    await waitFor(async () => (await relay.waiting()) === 0);
    await relay.stop();
    await manager.streams.update(streams.deletions.name, { max_bytes: config.max_bytes });
  });

  it('hold up no other events while their queue is full, however many wait', async () => {
    const { config } = await manager.streams.info(streams.deletions.name);
    await manager.streams.update(streams.deletions.name, { max_bytes: 1 });
    const deletions = Array.from({ length: 300 }, () => eventOf('records.employee.deleted'));
    // Behind most of them by its id, whose order within a millisecond is random.
    const behind = deletions.map(({ id }) => id).sort()[250];
    const relay = await written([...deletions, { ...eventOf('records.employee.changed'), id: `${behind}0` }]);
    await waitFor(async () => (await relay.waiting()) === deletions.length);
    await relay.stop();
    await manager.streams.update(streams.deletions.name, { max_bytes: config.max_bytes });
  });

  it('are handled that a version publishes which has no queue for them', async () => {
    const seen = listen(`test-${randomUUID()}`);
    const deletion = eventOf('records.employee.deleted');
    await bus.publish(subjectOf(deletion), JSON.stringify(deletion), { msgId: deletion.id });
    await waitFor(() => seen.includes(deletion.data.id));
  });

  it('of one institution leave handlers to others, however long they take', async () => {
    const many = eventOf('records.employee.deleted');
    const ofOne = Array.from({ length: 100 }, () => ({ ...eventOf('records.employee.deleted'), institutionid: many.institutionid }));
    const other = eventOf('records.employee.deleted');
    await published([...ofOne, other]);
    const gate = Promise.withResolvers<void>();
    const seen = listen('tasks', gate.promise);
    await waitFor(() => seen.includes(other.data.id)).finally(() => gate.resolve());
    await waitFor(() => ofOne.every(({ data }) => seen.includes(data.id)));
  });

  // What a service takes it can have delivered on any subject of the platform, with what a publisher wrote.
  it('are those that were published on their subject, and nothing else', async () => {
    const service = `test-${randomUUID()}`;
    const dead = await watchSubjects(nats.address, `stechuhr.dead.${service}.>`);
    const seen = listen(service);
    const queueOf = (event: CloudEvent): string => deletionSubject(event.institutionid, service, 'employee');
    const [foreign, handedOver, queued, otherKind, good] = Array.from({ length: 5 }, (_, at) =>
      eventOf(at === 3 ? 'records.account.deleted' : 'records.employee.deleted'),
    ) as [CloudEvent, CloudEvent, CloudEvent, CloudEvent, CloudEvent];
    await bus.publish(eventSubject(randomUUID(), 'records.employee.deleted'), JSON.stringify(foreign));
    await bus.publish(subjectOf(handedOver), JSON.stringify(handedOver), { headers: { 'Stechuhr-Origin-Sequence': '7' } });
    await bus.publish(deletionSubject(randomUUID(), service, 'employee'), JSON.stringify(queued));
    await bus.publish(queueOf(otherKind), JSON.stringify(otherKind));
    await bus.publish(queueOf(good), JSON.stringify(good));
    await waitFor(() => seen.includes(good.data.id));
    for (const { id } of [foreign, handedOver, queued, otherKind]) await dead.next(({ text }) => text.includes(id));
    await dead.stop();
    for (const { data } of [foreign, handedOver, queued, otherKind]) expect(seen).not.toContain(data.id);
  });
});
