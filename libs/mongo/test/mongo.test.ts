import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import { createConnection, Schema, type Collection } from 'mongoose';
import { connectMongo, findRaw, outboxIndex, outboxOf, readSlices, type MongoDb } from '@stechuhr/mongo';
import { ownTime, openTcpGate, testServers, waitFor, type TestServers } from '@stechuhr/testing';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

interface Month {
  readonly _id: string;
  readonly total: number;
}

let servers: TestServers;
let db: MongoDb;
let months: Collection;

beforeAll(async () => {
  servers = await testServers();
  db = await connectMongo({ url: servers.mongodbUrl, database: servers.database('mongo'), logger: silent, appName: 'test' });
  const schema = new Schema({ _id: String, total: Number, outbox: [Schema.Types.Mixed], deleted_at: Date, marker_until: Date });
  schema.index(...outboxIndex);
  months = db.connection.model('Month', schema, 'months').collection;
  await db.ensureIndexes();
});

afterAll(async () => {
  await db.close();
  await servers.stop();
});

beforeEach(() => db.connection.model('Month').deleteMany({}));

async function insert(...documents: object[]): Promise<void> {
  await months.insertMany(documents);
}

describe('connectMongo', () => {
  it('answers a ping', async () => {
    await expect(db.ping()).resolves.toBeUndefined();
  });

  it('creates the declared indexes only when asked to', async () => {
    const names = (await months.indexes()).map(({ name }) => name);
    expect(names).toContain('outbox.id_1');
  });

  it('refuses a filter on an unknown field instead of dropping it', async () => {
    await expect(db.connection.model('Month').find({ totl: 1 })).rejects.toThrow(/not in schema/);
  });

  it('treats an operator inside a value as a value', async () => {
    await insert({ _id: 'a', total: 1 });
    const hostile: unknown = { $gt: 0 };
    await expect(db.connection.model('Month').find({ total: hostile }).lean()).rejects.toThrow(/Cast to Number failed/);
  });

  it('does not let the connection string weaken the write concern', async () => {
    const { host } = new URL(servers.mongodbUrl);
    const url = `mongodb://${host}/?directConnection=true&w=1&retryWrites=false&readPreference=secondaryPreferred`;
    const weak = await connectMongo({ url, database: servers.database('weak'), logger: silent });
    const { options } = weak.connection.getClient();
    await weak.close();
    expect(options.writeConcern.w).toBe('majority');
    expect(options.readPreference.mode).toBe('primary');
    expect(options.retryWrites).toBe(true);
  });

  it('opens connections before the first requests', async () => {
    const own = await connectMongo({ url: servers.mongodbUrl, database: servers.database('filled'), logger: silent });
    const created = jest.fn();
    own.connection.getClient().on('connectionCreated', created);
    const things = own.connection.collection('things');
    await Promise.all(Array.from({ length: 5 }, () => things.findOne({})));
    await own.close();
    expect(created).not.toHaveBeenCalled();
  });

  it('fails within seconds when no server answers', async () => {
    const connecting = connectMongo({ url: 'mongodb://127.0.0.1:1', database: 'none', logger: silent });
    await expect(connecting).rejects.toMatchObject({ name: expect.stringMatching(/Selection/) });
  });

  it('waits for a server that starts later, and logs it', async () => {
    const { host, searchParams } = new URL(servers.mongodbUrl);
    const gate = await openTcpGate(host);
    gate.hold('answers');
    const said: string[] = [];
    const warn = (_fields: object, message: string) => {
      said.push(message);
      gate.release();
    };
    const url = `mongodb://${gate.address}/?${new URLSearchParams({ ...Object.fromEntries(searchParams), directConnection: 'true' })}`;
    const late = await connectMongo({ url, database: servers.database('late'), logger: { ...silent, warn }, waitMs: 60_000 });
    await late.ping();
    expect(new Set(said)).toEqual(new Set(['waiting for MongoDB']));
    await late.close();
    await gate.stop();
  });
});

describe('a server that hangs', () => {
  it('fails calls slowly at first, then quickly, and is used again when it answers', async () => {
    const { host, searchParams } = new URL(servers.mongodbUrl);
    const gate = await openTcpGate(host);
    const url = `mongodb://${gate.address}/?${new URLSearchParams({ ...Object.fromEntries(searchParams), directConnection: 'true' })}`;
    const own = await connectMongo({ url, database: servers.database('hanging'), logger: silent });
    const things = own.connection.collection<{ _id: string }>('things');
    const read = async () => {
      let error: AppError | undefined;
      const ms = await ownTime(async () => {
        error = await things.findOne({ _id: 'a' }).then(() => undefined, AppError.from);
      });
      return { code: error?.code, ms };
    };
    expect((await read()).code).toBeUndefined();
    gate.hold('requests');
    gate.hold('answers');
    const [first, next] = [await read(), await read()];
    expect([first.code, next.code]).toEqual(['unavailable', 'unavailable']);
    expect(first.ms).toBeLessThan(8_000);
    expect(next.ms).toBeLessThan(4_000);
    gate.release();
    await waitFor(async () => (await read()).code === undefined);
    await own.close();
    await gate.stop();
  });
});

describe('readSlices', () => {
  const projection = { total: 1 } as const;

  it('returns each slice in the order of its ids and leaves out missing documents', async () => {
    await insert({ _id: 'a', total: 1 }, { _id: 'b', total: 2 }, { _id: 'c', total: 3 });
    const slices: Month[][] = [];
    for await (const slice of readSlices<Month>(months, [['c', 'x', 'a'], [], ['b']], { projection })) slices.push(slice);
    expect(slices).toEqual([
      [
        { _id: 'c', total: 3 },
        { _id: 'a', total: 1 },
      ],
      [],
      [{ _id: 'b', total: 2 }],
    ]);
  });

  it('prefetches exactly one slice', async () => {
    await insert({ _id: 'a', total: 1 }, { _id: 'b', total: 2 });
    const asked: string[] = [];
    const ids = function* () {
      for (const id of ['a', 'b', 'c', 'd']) {
        asked.push(id);
        yield [id];
      }
    };
    for await (const [month] of readSlices<Month>(months, ids(), { projection })) {
      expect(asked).toEqual(month?._id === 'a' ? ['a', 'b'] : ['a', 'b', 'c']);
      if (month?._id === 'b') break;
    }
    expect(asked).toEqual(['a', 'b', 'c']);
  });

  it('ends with an error when the reader’s signal aborts', async () => {
    await insert({ _id: 'a', total: 1 }, { _id: 'b', total: 2 });
    const leaving = new AbortController();
    const read = async () => {
      for await (const slice of readSlices<Month>(months, [['a'], ['b'], ['b']], { projection, signal: leaving.signal })) {
        expect(slice).toHaveLength(1);
        leaving.abort(new Error('left'));
      }
    };
    await expect(read()).rejects.toThrow(/left/);
  });
});

describe('findRaw', () => {
  it('reads documents in the requested order', async () => {
    await insert(...Array.from({ length: 2_500 }, (_, total) => ({ _id: `m${total}`, total })));
    const totals: number[] = [];
    for await (const month of findRaw<Month>(months, { total: { $gte: 10 } }, { projection: { total: 1 }, sort: { total: -1 } })) {
      totals.push(month.total);
    }
    expect(totals).toHaveLength(2_490);
    expect(totals.slice(0, 2)).toEqual([2_499, 2_498]);
  });
});

describe('outboxOf', () => {
  const ALL = { after: '', upTo: 'g' };
  const events = (...ids: string[]) => ids.map((id) => ({ id }));

  it('finds only documents with waiting events', async () => {
    await insert({ _id: 'a', institution_id: 'x', outbox: events('1', '2') }, { _id: 'b', outbox: [] }, { _id: 'c' });
    expect(await outboxOf(months).within(ALL, 10)).toEqual([
      { docId: 'a', institutionId: 'x', events: events('1', '2'), isDeleted: false },
    ]);
    expect(await outboxOf(months).count()).toBe(1);
  });

  it('finds documents by the events of an institution, and by a range of event ids', async () => {
    await insert(
      { _id: 'a', institution_id: 'x', outbox: events('1', '5') },
      { _id: 'b', institution_id: 'y', outbox: events('1', '3') },
      { _id: 'c', institution_id: 'x', outbox: events('2') },
    );
    const idsOf = (found: readonly { readonly docId: string }[]) => found.map(({ docId }) => docId).sort();
    const box = outboxOf(months);
    expect(idsOf(await box.holding([{ id: '5', institutionId: 'x' }]))).toEqual(['a']);
    expect(idsOf(await box.holding([{ id: '3', institutionId: 'x' }]))).toEqual([]);
    // Not documents with one event above and another one below the range.
    expect(idsOf(await box.within({ after: '1', upTo: '3' }, 10))).toEqual(['b', 'c']);
    expect(idsOf(await box.within({ after: '3', upTo: '4' }, 10))).toEqual([]);
    expect(await box.within({ after: '', upTo: '1' }, 1)).toHaveLength(1);
    expect((await box.idsWithin({ after: '1', upTo: '3' }, 10)).toSorted()).toEqual([['1', '3'], ['2']]);
    expect(await box.idsWithin({ after: '', upTo: '1' }, 1)).toHaveLength(1);
  });

  it('reads only events that no election can take back, because they are published', async () => {
    const connection = await createConnection(servers.mongodbUrl, { dbName: servers.database('mongo'), monitorCommands: true }).asPromise();
    const concerns: unknown[] = [];
    connection.getClient().on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find') concerns.push(command.readConcern);
    });
    const box = outboxOf(connection.collection('months'));
    await box.holding([{ id: '1', institutionId: 'x' }]);
    await box.within(ALL, 1);
    await box.idsWithin(ALL, 1);
    await connection.close();
    expect(concerns).toEqual(Array(3).fill({ level: 'majority' }));
  });

  it('reads fewer documents if they have thousands of events', async () => {
    const many = (letter: string) => events(...Array.from({ length: 1_000 }, (_, at) => `${letter}${String(at).padStart(3, '0')}`));
    await insert(...[...'abcdefghijkl'].map((_id) => ({ _id, institution_id: 'x', outbox: many(_id) })));
    const box = outboxOf(months);
    const range = { after: '', upTo: 'z' };
    const first = await box.within(range, 20);
    expect(first.map(({ events: waiting }) => waiting.length)).toEqual(Array(10).fill(1_000));
    expect((await box.idsWithin(range, 20)).map(({ length }) => length)).toEqual(Array(10).fill(1_000));
    await box.published(first.map((one) => ({ ...one, eventIds: one.events.map(({ id }) => id) })));
    expect((await box.within(range, 20)).map(({ events: waiting }) => waiting.length)).toEqual([1_000, 1_000]);
  });

  it('reads fewer documents if their events have megabytes', async () => {
    const large = (id: string) => ({ id, data: { fields: ['x'.repeat(3_000_000)] } });
    await insert(...[...'abcde'].map((_id) => ({ _id, institution_id: 'x', outbox: [large(_id)] })));
    const box = outboxOf(months);
    const first = await box.within(ALL, 20);
    expect(first).toHaveLength(3);
    expect(await box.idsWithin(ALL, 20)).toHaveLength(5);
    await box.published(first.map((one) => ({ ...one, eventIds: one.events.map(({ id }) => id) })));
    expect(await box.within(ALL, 20)).toHaveLength(2);
  });

  it('removes published events and keeps those added meanwhile', async () => {
    await insert({ _id: 'a', institution_id: 'x', total: 7, outbox: events('1', '2') });
    await outboxOf(months).published([{ docId: 'a', institutionId: 'x', eventIds: ['1'], isDeleted: false }]);
    expect(await outboxOf(months).within(ALL, 10)).toEqual([{ docId: 'a', institutionId: 'x', events: events('2'), isDeleted: false }]);
  });

  it('removes a deleted document with its last event, unless it is kept as a marker', async () => {
    const deleted = { deleted_at: new Date(), outbox: events('1') };
    await insert(
      { _id: 'gone', ...deleted },
      { _id: 'marker', ...deleted, marker_until: new Date() },
      { _id: 'alive', outbox: events('1') },
    );
    const waiting = { _id: 'waiting', deleted_at: new Date(), outbox: events('1', '2') };
    await insert(waiting);
    const found = await outboxOf(months).within(ALL, 10);
    await outboxOf(months).published(found.map((one) => ({ ...one, eventIds: ['1'] })));
    const left = await months.find({}, { projection: { _id: 1 } }).toArray();
    expect(left.map(({ _id }) => String(_id)).sort()).toEqual(['alive', 'marker', 'waiting']);
  });

  it('removes a document that is deleted between the read and the publication of its last event', async () => {
    await insert({ _id: 'gone', outbox: events('1') }, { _id: 'marker', outbox: events('1') }, { _id: 'alive', outbox: events('1') });
    const found = await outboxOf(months).within(ALL, 10);
    await months.updateMany({ _id: { $in: ['gone', 'marker'] as never[] } }, { $set: { deleted_at: new Date() } });
    await months.updateOne({ _id: 'marker' as never }, { $set: { marker_until: new Date() } });
    await outboxOf(months).published(found.map((one) => ({ ...one, eventIds: ['1'] })));
    const left = await months.find({}, { projection: { _id: 1 } }).toArray();
    expect(left.map(({ _id }) => String(_id)).sort()).toEqual(['alive', 'marker']);
  });

  it.each([0, 1, 2, 3])('leaves nothing of a deleted document behind when the process ends after %i writes', async (writes) => {
    await insert({ _id: 'gone', deleted_at: new Date(), outbox: events('1', '2') }, { _id: 'alive', outbox: events('3') });
    const carry = async (collection: Collection) => {
      const found = await outboxOf<{ id: string }>(collection).within(ALL, 10);
      const published = found.map((one) => ({ ...one, eventIds: one.events.map(({ id }) => id) }));
      if (published.length > 0) await outboxOf(collection).published(published);
      return found.length;
    };
    await carry(endingAfter(months, writes)).catch(() => undefined);
    // The next process repeats this.
    while ((await carry(months)) > 0);
    expect(await months.find({}, { projection: { outbox: 1 } }).toArray()).toEqual([{ _id: 'alive', outbox: [] }]);
  });
});

/** Simulates a process that is killed: after this number of writes, none reaches the server. */
function endingAfter(collection: Collection, writes: number): Collection {
  let left = writes;
  return new Proxy(collection, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const isWrite = /^(bulkWrite|update|delete|insert|replace|findOneAnd)/u.test(String(name));
      return (...args: unknown[]): unknown => {
        if (isWrite && left-- <= 0) throw new Error('killed');
        return Reflect.apply(value, target, args);
      };
    },
  });
}
