import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, newTimeOrderedId, systemClock } from '@stechuhr/kernel';
import { connectMongo, defineStores, outboxIndex, type Stores } from '@stechuhr/mongo';
import { openTcpGate, testServers, waitFor, type TestServers } from '@stechuhr/testing';
import { Schema } from 'mongoose';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const NEVER_MS = 1_000_000;

let servers: TestServers;

beforeAll(async () => {
  servers = await testServers();
});

afterAll(() => servers.stop());

function storesIn(database: string, natsUrl: string) {
  const schema = new Schema({ _id: String, institution_id: String, outbox: [Schema.Types.Mixed], deleted_at: Date });
  schema.index(...outboxIndex);
  const stores = defineStores({
    name: 'test',
    models: ({ connection }) => connection.model('Thing', schema, 'things'),
    outboxes: (things) => [things.collection],
    sweepMs: NEVER_MS,
  });
  const config = { mongodb: { url: servers.mongodbUrl, database }, natsUrl };
  return { connect: () => stores.connect(config, silent), prepare: () => stores.prepare(config, silent) };
}

function thing(_id: string, { createEvent }: Pick<Stores<unknown>, 'createEvent'>) {
  const institution_id = newId();
  const event = createEvent({ type: 'records.import.finished', institutionId: institution_id, data: { id: newId() }, clock: systemClock });
  return { _id, institution_id, outbox: [event] };
}

describe('defineStores', () => {
  it('creates indexes and streams, and publishes events from the outboxes to the bus', async () => {
    const stores = await storesIn(servers.database('stores'), servers.natsUrl).connect();
    expect((await stores.models.collection.indexes()).map(({ name }) => name)).toContain('outbox.id_1');
    await Promise.all([stores.checks.mongodb(), stores.checks.nats()]);
    await stores.models.create(thing('a', stores));
    await stores.relay.flush();
    expect(await stores.models.findById('a').lean()).toMatchObject({ outbox: [] });
    await stores.close();
  });

  it('waits for a MongoDB that becomes unavailable while indexes are created', async () => {
    const { host, searchParams } = new URL(servers.mongodbUrl);
    const gate = await openTcpGate(host);
    const url = `mongodb://${gate.address}/?${new URLSearchParams({ ...Object.fromEntries(searchParams), directConnection: 'true' })}`;
    const warn = (_fields: object, message: string) => message === 'waiting for MongoDB' && gate.release();
    let opened = 0;
    const { connect } = defineStores({
      name: 'test',
      models: async ({ connection }) => {
        opened += 1;
        if (opened === 1) gate.hold('answers');
        const things = connection.collection('things');
        await things.createIndex({ place: 1 });
        return things;
      },
      outboxes: (things) => [things],
      sweepMs: NEVER_MS,
    });
    const config = { mongodb: { url, database: servers.database('going') }, natsUrl: servers.natsUrl };
    const stores = await connect(config, { ...silent, warn });
    expect(opened).toBe(2);
    expect((await stores.models.indexes()).map(({ name }) => name)).toContain('place_1');
    await stores.close();
    await gate.stop();
  });

  it('publishes waiting events before it closes', async () => {
    const database = servers.database('closing');
    const stores = await storesIn(database, servers.natsUrl).connect();
    await stores.models.create(thing('a', stores));
    await stores.close();
    const after = await connectMongo({ url: servers.mongodbUrl, database, logger: silent });
    expect(await after.connection.collection('things').findOne({})).toMatchObject({ outbox: [] });
    await after.close();
  });

  it('removes only deleted documents that a crash of an earlier version left behind', async () => {
    const database = servers.database('remains');
    const before = await connectMongo({ url: servers.mongodbUrl, database, logger: silent });
    const deleted_at = new Date();
    await before.connection.collection<{ _id: string }>('things').insertMany([
      { _id: 'left', deleted_at, outbox: [] },
      { _id: 'marker', deleted_at, outbox: [], marker_until: new Date() },
      { _id: 'present', deleted_at: null, outbox: [] },
      { _id: 'old', outbox: [] },
    ] as never);
    const stores = await storesIn(database, servers.natsUrl).connect();
    await stores.close();
    expect((await before.connection.collection('things').distinct('_id')).toSorted()).toEqual(['marker', 'old', 'present']);
    await before.close();
  });

  it('finds leftovers and repairs those that can be repaired', async () => {
    const stores = await storesIn(servers.database('inspected'), 'nats://127.0.0.1:1').connect();
    const deleted_at = new Date();
    const things = stores.database.connection.collection<{ _id: string }>('things');
    // By now, the start has removed the leftovers that it removes itself.
    await waitFor(async () => (await stores.database.connection.collection('sweeps').countDocuments()) === 1);
    await things.insertMany([
      { _id: 'left', deleted_at, outbox: [] },
      { _id: 'marker', deleted_at, outbox: [], marker_until: new Date() },
      { _id: 'deleting', deleted_at, outbox: [{ id: newTimeOrderedId() }] },
      { _id: 'present', deleted_at: null, outbox: [] },
    ] as never);
    const until = new Date(Date.now() - 60_000);
    const claims = stores.database.connection.collection<{ _id: string }>('claimed_slices');
    await claims.insertOne({ _id: 'range', version: 1, after: 'b', slices: [{ id: 'a', after: '', upTo: 'b', until }] } as never);
    const inspect = async (repair: boolean, olderThanMs: number) => {
      const { signal } = new AbortController();
      const found = stores.inspections.map(async (one) => {
        const { count, repaired, examples } = await one.inspect({ repair, olderThanMs, signal });
        return [one.check, one.place, count, repaired, ...examples];
      });
      return Promise.all(found);
    };
    expect(await inspect(false, -1_000)).toEqual([
      ['half-deleted', 'things', 1, 0, 'left'],
      ['unpublished-events', 'things', 1, 0, 'deleting'],
      ['expired-claims', 'claimed_slices', 1, 0, 'range'],
    ]);
    // Recent claims may belong to running processes.
    expect(await inspect(true, 30_000)).toEqual([
      ['half-deleted', 'things', 1, 1, 'left'],
      ['unpublished-events', 'things', 0, 0],
      ['expired-claims', 'claimed_slices', 1, 1, 'range'],
    ]);
    expect((await inspect(false, 30_000)).map(([, , count]) => count)).toEqual([0, 0, 0]);
    expect((await things.distinct('_id')).toSorted()).toEqual(['deleting', 'marker', 'present']);
    await stores.close();
  });

  it('starts without NATS and reports it', async () => {
    const stores = await storesIn(servers.database('alone'), 'nats://127.0.0.1:1').connect();
    await expect(stores.checks.mongodb()).resolves.toBeUndefined();
    await expect(stores.checks.nats()).rejects.toMatchObject({ code: 'unavailable' });
    await stores.close();
  });

  it('creates indexes when it only prepares', async () => {
    const database = servers.database('prepared');
    await storesIn(database, servers.natsUrl).prepare();
    const after = await connectMongo({ url: servers.mongodbUrl, database, logger: silent });
    expect((await after.connection.collection('things').indexes()).map(({ name }) => name)).toContain('outbox.id_1');
    await after.close();
  });

  it('does not prepare without NATS', async () => {
    await expect(storesIn(servers.database('unprepared'), 'nats://127.0.0.1:1').prepare()).rejects.toThrow();
  });
});
