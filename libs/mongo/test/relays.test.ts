import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CloudEvent } from '@stechuhr/contracts';
import { newId, systemClock } from '@stechuhr/kernel';
import { connectMongo, defineStores, outboxIndex, sliceClaims, type MongoDb } from '@stechuhr/mongo';
import { testServers, waitFor, watchSubjects, type SubjectWatch, type TestServers } from '@stechuhr/testing';
import { Schema } from 'mongoose';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const NEVER_MS = 1_000_000;
const RELAYS = 4;

let servers: TestServers;
let watch: SubjectWatch;

beforeAll(async () => {
  servers = await testServers();
  watch = await watchSubjects(servers.natsUrl, 'stechuhr.events.>');
});

afterAll(async () => {
  await watch.stop();
  await servers.stop();
});

/** Several processes, each with a relay, on one database, like replicas. */
async function replicas(name: string, staleMs: number) {
  const schema = new Schema({ _id: String, institution_id: String, outbox: [Schema.Types.Mixed], deleted_at: Date });
  schema.index(...outboxIndex);
  const stores = defineStores({
    name: 'replica',
    models: ({ connection }) => connection.model('Thing', schema, 'things'),
    outboxes: (things) => [things.collection],
    sweepMs: staleMs === 0 ? 100 : NEVER_MS,
    staleMs,
  });
  const config = { mongodb: { url: servers.mongodbUrl, database: servers.database(name) }, natsUrl: servers.natsUrl };
  return { config, start: () => stores.connect(config, silent) };
}

function eventOf(institutionId: string, make: { createEvent(input: object): CloudEvent }, number = 0): CloudEvent {
  const data = { id: newId(), accepted: number, rejected: 0 };
  return make.createEvent({ type: 'records.import.finished', institutionId, data, clock: systemClock });
}

/** Ids of the events published for some institutions, in the order of publication, including repeats. */
const publishedOf = (institutions: ReadonlySet<string>): string[] =>
  watch.all.filter(({ subject }) => institutions.has(subject.split('.')[2] ?? '')).map(({ headers }) => headers['Nats-Msg-Id'] ?? '');

function isInOrder(ids: readonly string[], published: readonly string[]): boolean {
  const places = ids.map((id) => published.indexOf(id));
  return places.every((place, index) => place >= 0 && (index === 0 || place > (places[index - 1] ?? 0)));
}

describe('relays of several processes', () => {
  it('publish events at once, each once and in the order of its document, whichever process wrote it', async () => {
    const { start } = await replicas('at-once', NEVER_MS);
    const running = await Promise.all(Array.from({ length: RELAYS }, start));
    const institutions = Array.from({ length: 20 }, newId);
    const written = new Map<string, string[]>(institutions.map((id) => [id, []]));
    const [things] = running.map(({ models }) => models);
    await things?.insertMany(institutions.map((id) => ({ _id: id, institution_id: id, outbox: [] })));
    for (let number = 0; number < 20; number++) {
      // All processes write to the same documents, one after the other.
      const replica = running[number % RELAYS];
      if (replica === undefined) throw new Error('There is no such replica.');
      await Promise.all(
        institutions.map(async (id) => {
          const event = eventOf(id, replica, number);
          written.get(id)?.push(event.id);
          await replica.models.updateOne({ _id: id }, { $push: { outbox: event } });
        }),
      );
      replica.relay.notify();
    }
    const own = new Set(institutions);
    await waitFor(() => new Set(publishedOf(own)).size === 400);
    await Promise.all(running.map((replica) => replica.close()));
    const published = publishedOf(own);
    expect(published.length - new Set(published).size).toBeLessThan(4);
    for (const ids of written.values()) expect(isInOrder(ids, published)).toBe(true);
  });

  it('share the events of an earlier process, each published once and in the order of its document', async () => {
    const { config, start } = await replicas('left-behind', 0);
    const before = await connectMongo({ ...config.mongodb, logger: silent });
    const maker = await start();
    await maker.close();
    const institutions = Array.from({ length: 1_500 }, newId);
    const left = institutions.map((id) => ({ _id: id, institution_id: id, outbox: [eventOf(id, maker, 1), eventOf(id, maker, 2)] }));
    await before.connection.collection('things').insertMany(left as never);
    const running = await Promise.all(Array.from({ length: RELAYS }, start));
    const own = new Set(institutions);
    await waitFor(() => new Set(publishedOf(own)).size === 3_000);
    const waiting = () => before.connection.collection('things').countDocuments({ 'outbox.id': { $gt: '' } });
    await waitFor(async () => (await waiting()) === 0);
    await Promise.all(running.map((replica) => replica.close()));
    await before.close();
    const published = publishedOf(own);
    expect(published.length - new Set(published).size).toBeLessThan(30);
    const places = new Map(published.map((id, place) => [id, place]));
    for (const { outbox } of left) {
      const [first, second] = outbox.map(({ id }) => places.get(id) ?? -1);
      expect(second).toBeGreaterThan(first ?? Number.MAX_VALUE);
    }
  });

  it('republish events that a killed process published but did not remove; the stream deduplicates them', async () => {
    const { config, start } = await replicas('killed', 0);
    const before = await connectMongo({ ...config.mongodb, logger: silent });
    const killed = await start();
    const institution = newId();
    const event = eventOf(institution, killed);
    const subject = `stechuhr.events.${institution}.records.import.finished`;
    await killed.bus.publish(subject, JSON.stringify(event), { msgId: event.id });
    await killed.close();
    await before.connection.collection('things').insertOne({ _id: institution, institution_id: institution, outbox: [event] } as never);
    const next = await start();
    await waitFor(async () => (await before.connection.collection('things').countDocuments({ 'outbox.id': { $gt: '' } })) === 0);
    const stored: string[] = [];
    const taken = next.bus.consume({
      stream: 'STECHUHR_EVENTS',
      durable: `killed-${institution}`,
      filterSubject: `stechuhr.events.${institution}.>`,
      concurrency: 1,
      deadLetter: 'test',
      maxAttempts: 1,
      handler: async (message) => void stored.push(message.header('Nats-Msg-Id') ?? ''),
    });
    // Published after all others: once it arrives, all earlier events have arrived.
    const last = eventOf(institution, next);
    await next.bus.publish(subject, JSON.stringify(last), { msgId: last.id });
    await waitFor(() => stored.includes(last.id));
    await taken.stop();
    await next.close();
    await before.close();
    expect(stored).toEqual([event.id, last.id]);
  });
});

describe('sliceClaims', () => {
  let database: MongoDb;
  beforeAll(async () => {
    database = await connectMongo({ url: servers.mongodbUrl, database: servers.database('slices'), logger: silent });
  });
  afterAll(() => database.close());

  const upTo = (last: string) => async (after: string) => (after < last ? String.fromCharCode((after.charCodeAt(0) || 96) + 1) : undefined);

  it('hands out each slice once, and restarts when all of them are done', async () => {
    const claims = sliceClaims(database.connection.collection('claimed_slices'));
    const taken = await Promise.all(Array.from({ length: 12 }, () => claims.take('letters', upTo('c'))));
    const slices = taken.filter((slice) => slice !== undefined);
    expect(slices.map(({ after, upTo: end }) => `${after}-${end}`).sort()).toEqual(['-a', 'a-b', 'b-c']);
    await expect(claims.take('letters', upTo('c'))).resolves.toBeUndefined();
    for (const slice of slices) await slice.done();
    await expect(claims.take('letters', upTo('c'))).resolves.toBeUndefined();
    await expect(claims.take('letters', upTo('c'))).resolves.toMatchObject({ after: '', upTo: 'a' });
  });

  it('keeps a slice done that is finished while the next one is handed out', async () => {
    const collection = database.connection.collection<{ _id: string; slices: readonly { upTo: string }[] }>('claimed_slices');
    const claims = sliceClaims(database.connection.collection('claimed_slices'));
    const first = await claims.take('overlapping', upTo('b'));
    const next = await claims.take('overlapping', async (after) => {
      await first?.done();
      return upTo('b')(after);
    });
    expect(next).toMatchObject({ after: 'a', upTo: 'b' });
    expect((await collection.findOne({ _id: 'overlapping' }))?.slices.map((slice) => slice.upTo)).toEqual(['b']);
  });

  it('hands out the slice of a killed process again', async () => {
    const collection = database.connection.collection('claimed_slices');
    await sliceClaims(collection, 1).take('lost', upTo('a'));
    const again = await waitFor(() => sliceClaims(collection).take('lost', upTo('a')));
    expect(again).toMatchObject({ after: '', upTo: 'a' });
    await again.done();
  });

  it('hands out the slice of a process whose clock was ahead', async () => {
    const collection = database.connection.collection('claimed_slices');
    await sliceClaims(collection, 600_000).take('ahead', upTo('a'));
    const again = await sliceClaims(collection, 1_000).take('ahead', upTo('a'));
    expect(again).toMatchObject({ after: '', upTo: 'a' });
    await again?.done();
  });
});
