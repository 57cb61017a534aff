import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connectBus, createEvent, startOutboxRelay, type Bus, type OutboxRelayOptions } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import { firstIdAt, systemClock } from '@stechuhr/kernel';
import { startNats } from '@stechuhr/local-infra';
import { waitFor, watchSubjects, type SubjectWatch } from '@stechuhr/testing';
import { memoryOutbox, soleClaims, type MemoryOutbox } from './memory-outbox.js';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const NEVER = 3_600_000;

let nats: Awaited<ReturnType<typeof startNats>>;
let bus: Bus;
let watch: SubjectWatch;
let store: MemoryOutbox;

beforeAll(async () => {
  // Its own, because one of the tests ends it.
  nats = await startNats({ own: true });
  bus = await connectBus({ servers: nats.address, name: 'relay', logger: silent });
  await bus.ensureStreams();
  watch = await watchSubjects(nats.address, 'stechuhr.events.>');
});

afterAll(async () => {
  await watch.stop();
  await bus.close();
  await nats.stop();
});

beforeEach(() => {
  store = memoryOutbox();
});

const start = (options: Partial<OutboxRelayOptions> = {}) =>
  startOutboxRelay({ stores: [store], claims: soleClaims(), bus, logger: silent, sweepMs: NEVER, staleMs: 0, ...options });

const newEvent = (): CloudEvent =>
  createEvent({ type: 'records.employee.changed', institutionId: randomUUID(), data: { id: randomUUID() }, clock: systemClock });

const waiting = () => [...store.documents.values()].flat().length;

/** More documents than the relay takes at a time, with two events each. */
function storedBatches(): CloudEvent[][] {
  const batches = Array.from({ length: 450 }, () => [newEvent(), newEvent()]);
  batches.forEach((events, index) => store.documents.set(String(index), events));
  return batches;
}

function expectInOrder(batches: readonly (readonly CloudEvent[])[]): void {
  const seen = watch.messages.map(({ headers }) => headers['Nats-Msg-Id']);
  for (const [first, second] of batches) {
    expect(seen.indexOf(first?.id)).toBeGreaterThanOrEqual(0);
    expect(seen.indexOf(second?.id)).toBeGreaterThan(seen.indexOf(first?.id));
  }
}

describe('startOutboxRelay', () => {
  it('publishes what an earlier process left, under the event’s subject and id', async () => {
    const event = newEvent();
    store.documents.set('a', [event]);
    const relay = start({ sweepMs: 50 });
    const message = await watch.next(({ text }) => text.includes(event.id));
    await waitFor(() => waiting() === 0);
    await relay.stop();
    expect(message.subject).toBe(`stechuhr.events.${event.institutionid}.records.employee.changed`);
    expect(message.headers['Nats-Msg-Id']).toBe(event.id);
    expect(JSON.parse(message.text)).toEqual(event);
  });

  it('publishes what a process left whose clock was ahead', async () => {
    const event = { ...newEvent(), id: `${firstIdAt(Date.now() + 600_000)}-7000-8000-000000000000` };
    store.documents.set('a', [event]);
    const relay = start({ sweepMs: 50, staleMs: 5_000 });
    await watch.next(({ text }) => text.includes(event.id));
    await relay.stop();
  });

  it('publishes more documents than it takes at a time, the events of each in their order', async () => {
    const relay = start({ staleMs: NEVER });
    const batches = storedBatches();
    relay.notify(
      'memory',
      batches.map((events) => ({ events })),
    );
    await waitFor(() => waiting() === 0);
    await relay.stop();
    expectInOrder(batches);
  });

  it('publishes an event of one institution before thousands of another that were written earlier', async () => {
    const relay = start({ staleMs: NEVER });
    const [many, other] = [newEvent(), newEvent()];
    const ofOne = Array.from({ length: 3_000 }, (): CloudEvent => ({ ...newEvent(), institutionid: many.institutionid }));
    const documents = [...ofOne, other].map((event, at) => ({ docId: String(at), institutionId: event.institutionid, events: [event] }));
    for (const { docId, events } of documents) store.documents.set(docId, events);
    const written = documents.map(({ docId, institutionId, events: [event] }, at) => ({
      events: event === undefined ? [] : [event],
      // Every second one has to be read.
      ...(at % 2 === 0 && { alone: { docId, institutionId } }),
    }));
    relay.notify('memory', written.slice(0, -1));
    relay.notify('memory', written.slice(-1));
    await waitFor(() => waiting() === 0);
    await relay.stop();
    const seen = watch.messages.map(({ headers }) => headers['Nats-Msg-Id']);
    const begin = seen.indexOf(ofOne[0]?.id);
    expect(seen.indexOf(other.id) - begin).toBeLessThan(1_000);
  });

  it('publishes all that a process left at once, although the store returns fewer documents than it is asked for', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) store.documents.set(id, [newEvent()]);
    const within: MemoryOutbox['within'] = (range, limit) => store.within(range, Math.min(limit, 2));
    const relay = start({ stores: [{ ...store, within }] });
    await waitFor(() => waiting() === 0);
    await relay.stop();
  });

  it('finds events without a notification', async () => {
    const relay = start({ sweepMs: 50 });
    await relay.flush();
    store.documents.set('a', [newEvent()]);
    await waitFor(() => waiting() === 0);
    await relay.stop();
  });

  it('leaves a document to the process of its first event, until that has published it', async () => {
    const relay = start({ staleMs: NEVER });
    const [first, second] = [newEvent(), newEvent()];
    store.documents.set('a', [first, second]);
    relay.notify('memory', [{ events: [second] }]);
    await relay.flush();
    await relay.flush();
    expect(waiting()).toBe(2);
    // The other process is done.
    store.documents.set('a', [second]);
    await waitFor(() => waiting() === 0);
    await relay.stop();
    expect(watch.messages.filter(({ text }) => text.includes(first.id))).toEqual([]);
  });

  it('publishes events of new documents without reading them, and removes them', async () => {
    const unread = { ...store, holding: () => Promise.reject(new Error('The documents were read.')) };
    const relay = start({ stores: [unread], staleMs: NEVER });
    const batches = storedBatches();
    relay.notify(
      'memory',
      batches.map((events, index) => ({ events, alone: { docId: String(index), institutionId: events[0]?.institutionid } })),
    );
    await waitFor(() => waiting() === 0);
    await relay.stop();
    expectInOrder(batches);
  });

  it('leaves what another process has put behind it in a new document to that process', async () => {
    const relay = start({ staleMs: NEVER });
    const [first, second] = [newEvent(), newEvent()];
    store.documents.set('a', [first, second]);
    relay.notify('memory', [{ events: [first], alone: { docId: 'a', institutionId: first.institutionid } }]);
    await relay.flush();
    await waitFor(() => waiting() === 1);
    await relay.stop();
    expect(store.documents.get('a')).toEqual([second]);
  });

  it('publishes events of earlier versions too, whose ids are in no order', async () => {
    store.documents.set('a', [{ ...newEvent(), id: `f${randomUUID().slice(1)}` }]);
    const relay = start({ staleMs: NEVER, sweepMs: 50 });
    await waitFor(() => waiting() === 0);
    await relay.stop();
  });

  it('publishes events that were written just before it stops', async () => {
    const relay = start({ staleMs: NEVER });
    const event = newEvent();
    relay.expect(event);
    store.documents.set('a', [event]);
    await relay.stop();
    expect(waiting()).toBe(0);
  });

  it('is not held up by an event that the bus never takes', async () => {
    const huge = { ...newEvent(), dataschema: 'x'.repeat(2_000_000) };
    store.documents.set('bad', [huge]);
    store.documents.set('good', [newEvent()]);
    const relay = start({ sweepMs: 50 });
    await waitFor(() => store.documents.get('good')?.length === 0);
    await relay.stop();
    expect(store.documents.get('bad')).toHaveLength(1);
  });

  it('keeps events while the bus is unavailable and publishes them when it is back', async () => {
    const relay = start({ sweepMs: 50 });
    await relay.flush();
    await nats.kill();
    await waitFor(() => !bus.isConnected());
    const [event, ofNew] = [newEvent(), newEvent()];
    store.documents.set('a', [event]);
    store.documents.set('new', [ofNew]);
    relay.notify('memory', [{ events: [event] }, { events: [ofNew], alone: { docId: 'new', institutionId: ofNew.institutionid } }]);
    await relay.flush();
    expect(waiting()).toBe(2);
    await nats.restart();
    await waitFor(() => waiting() === 0);
    await relay.stop();
  });
});
