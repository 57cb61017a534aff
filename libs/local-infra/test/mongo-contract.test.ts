import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient, MongoServerError, type AnyBulkWriteOperation, type Collection, type Document } from 'mongodb';
import { startMongo, type LoneServer } from '../src/index.js';

interface Element {
  id: number | string;
  v?: number;
  net?: number;
  done?: boolean;
  spans?: { id: string; open?: boolean }[];
}

interface Stored extends Partial<
  Record<'version' | 'n' | 'm' | 'low' | 'high' | 'old' | 'new' | 'seq' | 'due' | 'hash' | 'year' | 'month' | 'total', number>
> {
  _id: string;
  status?: string;
  owner?: string;
  created?: string;
  secret?: string;
  institution?: string;
  fingerprint?: string;
  text?: string;
  key?: string | number | null;
  holder?: number | null;
  lease?: Date | null;
  at?: Date;
  deleted_at?: Date;
  taken?: boolean;
  list?: number[];
  log?: string[];
  tags?: string[];
  seen?: number[];
  marked?: boolean;
  days?: Element[];
  workdays?: Element[];
  outbox?: { id: string }[];
}

/** The features of MongoDB that the stores use, tested on whichever server the provider gives. */
let server: LoneServer<string>;
let client: MongoClient;
let things: Collection<Stored>;

beforeAll(async () => {
  server = await startMongo();
  client = await MongoClient.connect(server.address);
});

afterAll(async () => {
  await client.close();
  await server.stop();
});

beforeEach(async () => {
  things = client.db('contract').collection<Stored>('things');
  await things.drop();
});

const ids = async (filter: Document): Promise<string[]> =>
  (await things.find(filter, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id).sort();

const duplicate = async (write: Promise<unknown>): Promise<boolean> =>
  write.then(
    () => false,
    (error: unknown) => error instanceof MongoServerError && error.code === 11000,
  );

describe('compare-and-set', () => {
  it('changes a document only while its conditions hold', async () => {
    await things.insertOne({ _id: 'a', version: 1, status: 'new' });
    const won = await things.updateOne({ _id: 'a', version: 1 }, { $set: { status: 'taken' }, $inc: { version: 1 } });
    const lost = await things.updateOne({ _id: 'a', version: 1 }, { $set: { status: 'stolen' } });
    expect([won.matchedCount, won.modifiedCount, lost.matchedCount]).toEqual([1, 1, 0]);
    expect(await things.findOne({ _id: 'a' })).toEqual({ _id: 'a', version: 2, status: 'taken' });
  });

  it('lets exactly one of many win', async () => {
    await things.insertOne({ _id: 'a', holder: null });
    const attempts = Array.from({ length: 40 }, (_, n) => things.updateOne({ _id: 'a', holder: null }, { $set: { holder: n } }));
    const results = await Promise.all(attempts);
    expect(results.filter(({ modifiedCount }) => modifiedCount === 1)).toHaveLength(1);
  });

  it('loses no increment under concurrency', async () => {
    await things.insertOne({ _id: 'a', n: 0 });
    await Promise.all(Array.from({ length: 200 }, () => things.updateOne({ _id: 'a' }, { $inc: { n: 1 } })));
    expect(await things.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 200 });
  });

  it('compares by dates, by absence and by null', async () => {
    const at = new Date('2026-03-29T01:00:00Z');
    await things.insertMany([{ _id: 'a', lease: at }, { _id: 'b', lease: null }, { _id: 'c' }]);
    expect(await ids({ lease: { $lt: new Date('2026-03-29T01:00:01Z') } })).toEqual(['a']);
    expect(await ids({ lease: null })).toEqual(['b', 'c']);
    expect(await ids({ lease: { $exists: false } })).toEqual(['c']);
    expect(await ids({ lease: { $ne: null } })).toEqual(['a']);
  });
});

describe('updates', () => {
  it('changes the matching elements of an array by arrayFilters', async () => {
    await things.insertOne({
      _id: 'm',
      workdays: [
        { id: 1, net: 0 },
        { id: 2, net: 0, spans: [{ id: 'x' }, { id: 'y' }] },
      ],
    });
    await things.updateOne({ _id: 'm' }, { $set: { 'workdays.$[day].net': 8 } }, { arrayFilters: [{ 'day.id': 2 }] });
    const both = { arrayFilters: [{ 'day.id': 2 }, { 'span.id': 'y' }] };
    await things.updateOne({ _id: 'm' }, { $set: { 'workdays.$[day].spans.$[span].open': true } }, both);
    const days = [
      { id: 1, net: 0 },
      { id: 2, net: 8, spans: [{ id: 'x' }, { id: 'y', open: true }] },
    ];
    expect(await things.findOne({ _id: 'm' })).toEqual({ _id: 'm', workdays: days });
  });

  it('pushes several, at a place, in an order, and only the last ones', async () => {
    await things.insertOne({ _id: 'a', list: [3], log: [] });
    await things.updateOne({ _id: 'a' }, { $push: { list: { $each: [1, 2], $sort: 1 }, log: { $each: ['x', 'y', 'z'], $slice: -2 } } });
    await things.updateOne({ _id: 'a' }, { $push: { list: { $each: [9], $position: 0 } } });
    expect(await things.findOne({ _id: 'a' })).toEqual({ _id: 'a', list: [9, 1, 2, 3], log: ['y', 'z'] });
  });

  it('pulls elements by condition and by list, and adds to a set', async () => {
    await things.insertOne({ _id: 'a', outbox: [{ id: 'e1' }, { id: 'e2' }, { id: 'e3' }], tags: ['x'] });
    await things.updateOne({ _id: 'a' }, { $pull: { outbox: { id: { $in: ['e1', 'e3'] } } }, $addToSet: { tags: 'x' } });
    await things.updateOne({ _id: 'a' }, { $addToSet: { tags: { $each: ['y', 'x'] } } });
    expect(await things.findOne({ _id: 'a' })).toEqual({ _id: 'a', outbox: [{ id: 'e2' }], tags: ['x', 'y'] });
  });

  it('replaces an element in one update: pulls it, then pushes the new one', async () => {
    await things.insertOne({ _id: 'a', days: [{ id: 1, v: 1 }] });
    await things.bulkWrite([
      { updateOne: { filter: { _id: 'a' }, update: { $pull: { days: { id: 1 } } } } },
      { updateOne: { filter: { _id: 'a' }, update: { $push: { days: { id: 1, v: 2 } } } } },
    ]);
    expect(await things.findOne({ 'days.id': 1 })).toEqual({ _id: 'a', days: [{ id: 1, v: 2 }] });
  });

  it('unsets, takes minimum and maximum, renames, and stamps with the time of the server', async () => {
    await things.insertOne({ _id: 'a', key: 'k', low: 5, high: 5, old: 1 });
    const update = {
      $unset: { key: true as const },
      $min: { low: 3 },
      $max: { high: 4 },
      $rename: { old: 'new' },
      $currentDate: { at: true as const },
    };
    await things.updateOne({ _id: 'a' }, update);
    const { at, ...rest } = (await things.findOne({ _id: 'a' })) ?? { at: null };
    expect(rest).toEqual({ _id: 'a', low: 3, high: 5, new: 1 });
    expect(at).toBeInstanceOf(Date);
  });

  it('changes the element that the query found by the positional operator', async () => {
    await things.insertOne({ _id: 'a', days: [{ id: 1 }, { id: 2 }] });
    await things.updateOne({ _id: 'a', 'days.id': 2 }, { $set: { 'days.$.done': true } });
    expect(await things.findOne({ _id: 'a' })).toEqual({ _id: 'a', days: [{ id: 1 }, { id: 2, done: true }] });
  });

  it('counts what it matched and what it modified', async () => {
    await things.insertMany([
      { _id: 'a', n: 1 },
      { _id: 'b', n: 2 },
    ]);
    const result = await things.updateMany({}, { $set: { n: 2 } });
    expect([result.matchedCount, result.modifiedCount]).toEqual([2, 1]);
  });

  it('leaves a document that a reader holds as it was', async () => {
    await things.insertMany(Array.from({ length: 300 }, (_, n) => ({ _id: String(n), n: 0, m: 0 })));
    const writing = Promise.all(Array.from({ length: 20 }, () => things.updateMany({}, { $inc: { n: 1, m: 1 } })));
    for (let i = 0; i < 20; i++) {
      for await (const { n, m } of things.find({}, { batchSize: 50 })) expect(n).toBe(m);
    }
    await writing;
  });
});

describe('upserts', () => {
  it('inserts with the fields of the query, of $setOnInsert and of $set', async () => {
    const update = { $set: { n: 1 }, $setOnInsert: { created: 'now' }, $push: { log: 'x' } };
    const first = await things.updateOne({ _id: 'a', owner: 'o' }, update, { upsert: true });
    const second = await things.updateOne({ _id: 'a' }, update, { upsert: true });
    expect([first.upsertedCount, first.upsertedId, second.upsertedCount]).toEqual([1, 'a', 0]);
    expect(await things.findOne({ _id: 'a' })).toEqual({ _id: 'a', owner: 'o', n: 1, created: 'now', log: ['x', 'x'] });
  });

  it('makes one document of many that race', async () => {
    const race = Array.from({ length: 30 }, (_, n) =>
      things.updateOne({ _id: 'a' }, { $push: { seen: n } }, { upsert: true }).catch(() => undefined),
    );
    await Promise.all(race);
    expect(await things.countDocuments({})).toBe(1);
  });

  it('answers a conflicting compare-and-set upsert with a duplicate key', async () => {
    await things.insertOne({ _id: 'a', version: 2 });
    expect(await duplicate(things.updateOne({ _id: 'a', version: 1 }, { $set: { version: 2 } }, { upsert: true }))).toBe(true);
  });

  it('replaces a whole document', async () => {
    await things.replaceOne({ _id: 'a' }, { n: 1 }, { upsert: true });
    await things.replaceOne({ _id: 'a' }, { m: 2 }, { upsert: true });
    expect(await things.findOne({ _id: 'a' })).toEqual({ _id: 'a', m: 2 });
  });
});

describe('findOneAndUpdate', () => {
  it('gives the document after or before, projected, or nothing', async () => {
    await things.insertOne({ _id: 'a', seq: 7, secret: 's' });
    const after = await things.findOneAndUpdate({ _id: 'a' }, { $inc: { seq: 1 } }, { returnDocument: 'after', projection: { seq: 1 } });
    const before = await things.findOneAndUpdate({ _id: 'a' }, { $inc: { seq: 1 } }, { returnDocument: 'before' });
    const none = await things.findOneAndUpdate({ _id: 'b' }, { $inc: { seq: 1 } });
    expect([after, before, none]).toEqual([{ _id: 'a', seq: 8 }, { _id: 'a', seq: 8, secret: 's' }, null]);
  });

  it('tells of the first element of a list with everything else, without some fields, or alone', async () => {
    await things.insertMany([
      { _id: 'a', list: [1, 2], n: 1, m: 1 },
      { _id: 'b', list: [], n: 1, m: 1 },
    ]);
    const list = { list: { $slice: 1 } } as const;
    const found = (projection: object) => things.find({}, { projection, sort: { _id: 1 } }).toArray();
    expect(await found(list)).toEqual([
      { _id: 'a', list: [1], n: 1, m: 1 },
      { _id: 'b', list: [], n: 1, m: 1 },
    ]);
    expect(await found({ n: 0, ...list })).toEqual([
      { _id: 'a', list: [1], m: 1 },
      { _id: 'b', list: [], m: 1 },
    ]);
    const before = await things.findOneAndUpdate({ _id: 'a' }, { $push: { list: 3 } }, { projection: { m: 1, ...list } });
    expect(before).toEqual({ _id: 'a', list: [1], m: 1 });
  });

  it('upserts, and takes the first by a sort', async () => {
    const made = await things.findOneAndUpdate({ _id: 'n' }, { $inc: { seq: 1 } }, { upsert: true, returnDocument: 'after' });
    expect(made).toEqual({ _id: 'n', seq: 1 });
    await things.insertMany([
      { _id: 'j2', due: 2 },
      { _id: 'j1', due: 1 },
    ]);
    const first = await things.findOneAndUpdate({ due: { $gt: 0 } }, { $set: { taken: true } }, { sort: { due: 1 } });
    expect(first?._id).toBe('j1');
  });

  it('gives each of many a number of its own', async () => {
    await things.insertOne({ _id: 'seq', n: 0 });
    const draw = (): Promise<Stored | null> => things.findOneAndUpdate({ _id: 'seq' }, { $inc: { n: 1 } }, { returnDocument: 'after' });
    const drawn = await Promise.all(Array.from({ length: 100 }, draw));
    expect(new Set(drawn.map((document) => document?.['n'])).size).toBe(100);
  });

  it('deletes what it returns', async () => {
    await things.insertOne({ _id: 'a' });
    expect(await things.findOneAndDelete({ _id: 'a' })).toEqual({ _id: 'a' });
    expect(await things.countDocuments()).toBe(0);
  });
});

describe('unique indexes', () => {
  it('reject a duplicate on insert, update and upsert, and let it in after the first is gone', async () => {
    await things.createIndex({ institution: 1, hash: 1 }, { unique: true });
    await things.insertMany([
      { _id: 'a', institution: 'i', hash: 1 },
      { _id: 'b', institution: 'i', hash: 2 },
    ]);
    expect(await duplicate(things.insertOne({ _id: 'c', institution: 'i', hash: 1 }))).toBe(true);
    expect(await duplicate(things.updateOne({ _id: 'b' }, { $set: { hash: 1 } }))).toBe(true);
    expect(await duplicate(things.updateOne({ _id: 'd' }, { $set: { institution: 'i', hash: 1 } }, { upsert: true }))).toBe(true);
    expect(await duplicate(things.findOneAndUpdate({ _id: 'b' }, { $set: { hash: 1 } }))).toBe(true);
    expect(await things.findOne({ _id: 'b' })).toMatchObject({ hash: 2 });
    await things.deleteOne({ _id: 'a' });
    expect(await duplicate(things.insertOne({ _id: 'c', institution: 'i', hash: 1 }))).toBe(false);
  });

  it('let one of many through', async () => {
    await things.createIndex({ key: 1 }, { unique: true });
    const race = await Promise.all(Array.from({ length: 50 }, (_, n) => duplicate(things.insertOne({ _id: String(n), key: 'same' }))));
    expect(race.filter((rejected) => !rejected)).toHaveLength(1);
    expect(await things.countDocuments({ key: 'same' })).toBe(1);
  });

  it('take a missing field for null, unless they are sparse', async () => {
    await things.createIndex({ key: 1 }, { unique: true });
    await things.insertOne({ _id: 'a' });
    expect(await duplicate(things.insertOne({ _id: 'b' }))).toBe(true);
    await things.dropIndexes();
    await things.createIndex({ key: 1 }, { unique: true, sparse: true });
    expect(await duplicate(things.insertOne({ _id: 'b' }))).toBe(false);
    await things.insertOne({ _id: 'c', key: null });
    expect(await duplicate(things.insertOne({ _id: 'd', key: null }))).toBe(true);
  });

  it('free a sparse key that is unset, and refuse one that is set again', async () => {
    await things.createIndex({ fingerprint: 1 }, { unique: true, sparse: true });
    await things.insertOne({ _id: 'a', fingerprint: 'f' });
    expect(await duplicate(things.insertOne({ _id: 'b', fingerprint: 'f' }))).toBe(true);
    await things.updateOne({ _id: 'a' }, { $unset: { fingerprint: '' }, $set: { deleted_at: new Date() } });
    await things.insertOne({ _id: 'b', fingerprint: 'f' });
    expect(await duplicate(things.updateOne({ _id: 'a' }, { $set: { fingerprint: 'f' } }))).toBe(true);
  });

  it('of a part of the documents free what is unset, and leave alone what never had it', async () => {
    const partialFilterExpression = { fingerprint: { $exists: true } };
    const make = () => things.createIndex({ institution: 1, fingerprint: 1 }, { unique: true, partialFilterExpression });
    await make();
    expect(await make()).toBe('institution_1_fingerprint_1');
    await things.insertMany([
      { _id: 'a', institution: 'i', fingerprint: 'f' },
      { _id: 'b', institution: 'i' },
      { _id: 'c', institution: 'i' },
      { _id: 'd', institution: 'j', fingerprint: 'f' },
    ]);
    expect(await duplicate(things.insertOne({ _id: 'e', institution: 'i', fingerprint: 'f' }))).toBe(true);
    expect(await duplicate(things.updateOne({ _id: 'b' }, { $set: { fingerprint: 'f' } }))).toBe(true);
    expect(await ids({ institution: 'i', fingerprint: 'f' })).toEqual(['a']);
    expect(await ids({ institution: 'i' })).toEqual(['a', 'b', 'c']);
    await things.updateOne({ _id: 'a' }, { $unset: { fingerprint: '' } });
    expect(await duplicate(things.updateOne({ _id: 'b' }, { $set: { fingerprint: 'f' } }))).toBe(false);
    expect(await ids({ institution: 'i', fingerprint: null })).toEqual(['a', 'c']);
  });

  it('hold over the elements of arrays of different documents, not of one', async () => {
    await things.createIndex({ 'days.id': 1 }, { unique: true, sparse: true });
    await things.insertMany([
      { _id: 'a', days: [{ id: 1 }, { id: 1 }] },
      { _id: 'b', days: [] },
      { _id: 'c', days: [] },
    ]);
    expect(await duplicate(things.updateOne({ _id: 'b' }, { $push: { days: { id: 1 } } }))).toBe(true);
    expect(await duplicate(things.updateOne({ _id: 'a' }, { $push: { days: { id: 2 } } }))).toBe(false);
  });

  it('are not built over duplicates that are there', async () => {
    await things.insertMany([
      { _id: 'a', key: 1 },
      { _id: 'b', key: 1 },
    ]);
    expect(await duplicate(things.createIndex({ key: 1 }, { unique: true }))).toBe(true);
  });
});

describe('bulkWrite', () => {
  it('counts what it did', async () => {
    await things.insertMany([
      { _id: 'a', n: 1 },
      { _id: 'b', n: 1 },
    ]);
    const result = await things.bulkWrite([
      { insertOne: { document: { _id: 'c', n: 1 } } },
      { updateOne: { filter: { _id: 'a' }, update: { $set: { n: 2 } } } },
      { updateOne: { filter: { _id: 'd' }, update: { $set: { n: 4 } }, upsert: true } },
      { deleteOne: { filter: { _id: 'b' } } },
    ]);
    expect(result).toMatchObject({ insertedCount: 1, modifiedCount: 1, upsertedCount: 1, deletedCount: 1 });
    expect(await ids({})).toEqual(['a', 'c', 'd']);
  });

  it('stops at the first error when ordered, continues when not, and names each failure', async () => {
    await things.createIndex({ key: 1 }, { unique: true, sparse: true });
    await things.insertMany([{ _id: 'taken', key: 1 }, { _id: 'a' }, { _id: 'b' }]);
    const writes: AnyBulkWriteOperation<Stored>[] = [
      { updateOne: { filter: { _id: 'a' }, update: { $set: { key: 1 } } } },
      { updateOne: { filter: { _id: 'b' }, update: { $set: { marked: true } } } },
    ];
    await expect(things.bulkWrite(writes, { ordered: true })).rejects.toMatchObject({ code: 11000 });
    expect(await ids({ marked: true })).toEqual([]);
    await expect(things.bulkWrite(writes, { ordered: false })).rejects.toMatchObject({ writeErrors: [{ index: 0, code: 11000 }] });
    expect(await ids({ marked: true })).toEqual(['b']);
  });

  it('reports which inserts went in when others were there already', async () => {
    await things.insertMany([{ _id: 'b' }, { _id: 'd' }]);
    const inserts = ['a', 'b', 'c', 'd', 'e'].map((_id) => ({ insertOne: { document: { _id } } }));
    await expect(things.bulkWrite(inserts, { ordered: false })).rejects.toMatchObject({
      insertedCount: 3,
      writeErrors: [{ index: 1 }, { index: 3 }],
    });
    expect(await things.countDocuments()).toBe(5);
  });
});

describe('reading', () => {
  beforeEach(async () => {
    await things.createIndexes([
      { key: { owner: 1, year: 1, month: 1 } },
      { key: { 'workdays.id': 1 } },
      { key: { 'workdays.spans.id': 1, year: 1, month: 1 } },
      { key: { 'outbox.id': 1 }, sparse: true },
    ]);
    const month = (owner: string, m: number): Stored => ({
      _id: `${owner}/2026-${m}`,
      ...{ owner, year: 2026, month: m, total: m % 3 },
      workdays: [{ id: `${owner}-${m}-1` }, { id: `${owner}-${m}-2`, spans: [{ id: owner }, { id: `span-${m}` }] }],
      outbox: m === 2 ? [{ id: `event-${owner}` }] : [],
    });
    await things.insertMany(['x', 'y', 'z'].flatMap((owner) => [1, 2, 3].map((m) => month(owner, m))));
  });

  it.each<[string, Document, string[]]>([
    ['a list of ids, whatever else is asked', { _id: { $in: ['y/2026-3', 'x/2026-1', 'none'] }, owner: 'x' }, ['x/2026-1']],
    ['a range of ids', { _id: { $gte: 'y/', $lt: 'y0' } }, ['y/2026-1', 'y/2026-2', 'y/2026-3']],
    ['equality on a prefix and a range', { owner: 'x', year: 2026, month: { $gte: 2, $lte: 3 } }, ['x/2026-2', 'x/2026-3']],
    ['exclusive bounds', { owner: 'x', year: 2026, month: { $gt: 1, $lt: 3 } }, ['x/2026-2']],
    ['$in on the first key', { owner: { $in: ['x', 'z'] }, month: 1 }, ['x/2026-1', 'z/2026-1']],
    ['$in behind a prefix', { owner: 'y', year: 2026, month: { $in: [1, 3, 9] } }, ['y/2026-1', 'y/2026-3']],
    ['$in on two keys and a range', { owner: { $in: ['x', 'y'] }, year: { $in: [2026] }, month: { $gt: 2 } }, ['x/2026-3', 'y/2026-3']],
    ['an element of an array', { 'workdays.id': 'z-3-2' }, ['z/2026-3']],
    ['elements of arrays', { 'workdays.id': { $in: ['z-3-2', 'x-1-1'] } }, ['x/2026-1', 'z/2026-3']],
    [
      'an element of arrays in an array',
      { 'workdays.spans.id': 'span-2', year: 2026, month: { $in: [1, 2] } },
      ['x/2026-2', 'y/2026-2', 'z/2026-2'],
    ],
    ['$elemMatch', { workdays: { $elemMatch: { id: 'y-2-1' } } }, ['y/2026-2']],
    ['existence under a sparse index', { 'outbox.id': { $exists: true } }, ['x/2026-2', 'y/2026-2', 'z/2026-2']],
    ['$and', { $and: [{ owner: 'x' }, { month: { $gte: 2 } }, { month: { $lt: 3 } }] }, ['x/2026-2']],
    ['$or beside equality', { owner: 'x', $or: [{ month: 1 }, { total: 0 }] }, ['x/2026-1', 'x/2026-3']],
    ['$ne, $nin and $not', { owner: { $nin: ['x', 'y'] }, month: { $ne: 1 }, total: { $not: { $gt: 1 } } }, ['z/2026-3']],
    ['a text by regular expression', { owner: { $regex: '^[XY]$', $options: 'i' }, month: 1 }, ['x/2026-1', 'y/2026-1']],
  ])('finds by %s', async (_what, filter, expected) => {
    expect(await ids(filter)).toEqual(expected);
    expect(await things.countDocuments(filter)).toBe(expected.length);
  });

  it('finds by a partial index, and without it what the index does not hold', async () => {
    await things.createIndex({ status: 1 }, { partialFilterExpression: { taken: true } });
    await things.insertMany([
      { _id: 'a', status: 'open', taken: true },
      { _id: 'b', status: 'open', taken: false },
      { _id: 'c', status: 'done', taken: true },
    ]);
    expect(await ids({ status: 'open', taken: true })).toEqual(['a']);
    expect(await ids({ status: 'open' })).toEqual(['a', 'b']);
    await things.updateOne({ _id: 'b' }, { $set: { taken: true } });
    expect(await ids({ status: 'open', taken: true })).toEqual(['a', 'b']);
  });

  it('finds by a partial index of large values, and without it what the index does not hold', async () => {
    await things.createIndex({ owner: 1, total: 1 }, { partialFilterExpression: { total: { $gt: 10 } } });
    await things.insertMany([
      { _id: 'a', owner: 'i', total: 9 },
      { _id: 'b', owner: 'i', total: 10 },
      { _id: 'c', owner: 'i', total: 11 },
      { _id: 'd', owner: 'i', total: 30 },
      { _id: 'e', owner: 'j', total: 30 },
      { _id: 'f', owner: 'i' },
    ]);
    const found = (total: object) => ids({ owner: 'i', total });
    expect(await found({ $gt: 10 })).toEqual(['c', 'd']);
    expect(await found({ $gt: 11 })).toEqual(['d']);
    expect(await found({ $gt: 10, $lt: 30 })).toEqual(['c']);
    expect(await found({ $gte: 10 })).toEqual(['b', 'c', 'd']);
    expect(await found({ $gt: 9 })).toEqual(['b', 'c', 'd']);
    await things.updateOne({ _id: 'd' }, { $set: { total: 1 } });
    await things.updateOne({ _id: 'a' }, { $set: { total: 20 } });
    expect(await found({ $gt: 10 })).toEqual(['a', 'c']);
  });

  it('finds by an index what was changed, and no longer what was', async () => {
    await things.updateOne({ _id: 'x/2026-1' }, { $set: { 'workdays.0.id': 'moved' }, $push: { outbox: { id: 'new' } } });
    await things.deleteOne({ _id: 'x/2026-2' });
    expect(await ids({ 'workdays.id': { $in: ['moved', 'x-1-1', 'x-2-1'] } })).toEqual(['x/2026-1']);
    expect(await ids({ 'outbox.id': { $exists: true } })).toEqual(['x/2026-1', 'y/2026-2', 'z/2026-2']);
  });

  it('sorts by several fields, skips, limits and projects', async () => {
    const page = things.find({ owner: { $in: ['x', 'y'] } }, { projection: { _id: 0, owner: 1, month: 1 } });
    const rows = await page.sort({ month: -1, owner: 1 }).skip(1).limit(3).toArray();
    expect(rows).toEqual([
      { owner: 'y', month: 3 },
      { owner: 'x', month: 2 },
      { owner: 'y', month: 2 },
    ]);
  });

  it('sorts by _id, in both directions', async () => {
    const sorted = async (direction: 1 | -1): Promise<string[]> =>
      (await things.find({ owner: 'x' }).sort({ _id: direction }).toArray()).map(({ _id }) => _id);
    expect(await sorted(1)).toEqual(['x/2026-1', 'x/2026-2', 'x/2026-3']);
    expect(await sorted(-1)).toEqual(['x/2026-3', 'x/2026-2', 'x/2026-1']);
  });

  it('projects fields in, out, and parts of the elements of an array', async () => {
    const one = (projection: Document): Promise<Document | null> => things.findOne({ _id: 'x/2026-2' }, { projection });
    expect(await one({ total: 1 })).toEqual({ _id: 'x/2026-2', total: 2 });
    expect(await one({ workdays: 0, outbox: 0, year: 0 })).toEqual({ _id: 'x/2026-2', owner: 'x', month: 2, total: 2 });
    expect(await one({ 'outbox.id': 1, _id: 0 })).toEqual({ outbox: [{ id: 'event-x' }] });
    expect(await one({ workdays: { $elemMatch: { id: 'x-2-1' } } })).toEqual({ _id: 'x/2026-2', workdays: [{ id: 'x-2-1' }] });
  });

  it('counts with skip and limit, distinctly, and estimates', async () => {
    expect(await things.countDocuments({ owner: 'x' }, { skip: 1, limit: 5 })).toBe(2);
    expect(await things.distinct('owner', { month: 1 })).toEqual(['x', 'y', 'z']);
    expect(await things.estimatedDocumentCount()).toBe(9);
  });
});

describe('cursors', () => {
  const total = 1_200;
  beforeEach(async () => {
    await things.insertMany(Array.from({ length: total }, (_, n) => ({ _id: String(n).padStart(5, '0'), n, text: 'x'.repeat(200) })));
  });

  it('give a slice of ids as raw BSON, batch by batch', async () => {
    const slice = Array.from({ length: 700 }, (_, n) => String(n).padStart(5, '0'));
    const cursor = things.find({ _id: { $in: slice } }, { raw: true, batchSize: 250, projection: { n: 1 } });
    let seen = 0;
    for await (const raw of cursor) {
      expect(Buffer.isBuffer(raw) || raw instanceof Uint8Array).toBe(true);
      seen++;
    }
    expect(seen).toBe(700);
  });

  it('read on without a batch size', async () => {
    let seen = 0;
    for await (const { n } of things.find({})) seen += n === undefined ? 0 : 1;
    expect(seen).toBe(total);
  });

  it('split what is larger than a reply may be', async () => {
    await things.insertMany(Array.from({ length: 6 }, (_, n) => ({ _id: `big-${n}`, text: 'x'.repeat(9_000_000) })));
    const sizes = await things
      .find({ _id: { $gte: 'big' } }, { batchSize: 1_000 })
      .map(({ text }) => String(text).length)
      .toArray();
    expect(sizes).toEqual(Array(6).fill(9_000_000));
  });

  it('can be left early', async () => {
    const cursor = things.find({}, { batchSize: 10 });
    expect((await cursor.next())?.['n']).toBe(0);
    await cursor.close();
    expect(await things.countDocuments()).toBe(total);
  });

  it('keep their limit over batches', async () => {
    expect(await things.find({}, { batchSize: 100 }).sort({ n: -1 }).skip(5).limit(250).toArray()).toHaveLength(250);
  });
});

describe('databases and collections', () => {
  it('are apart, listed, and gone when dropped', async () => {
    await client.db('contract').collection<Stored>('other').insertOne({ _id: 'a' });
    await client.db('contract2').collection<Stored>('things').insertOne({ _id: 'a' });
    expect(await things.countDocuments()).toBe(0);
    expect((await client.db('admin').admin().listDatabases()).databases.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['contract', 'contract2']),
    );
    await client.db('contract2').dropDatabase();
    expect(await client.db('contract2').collection('things').countDocuments()).toBe(0);
    expect(await client.db('contract').collection('other').countDocuments()).toBe(1);
  });

  it('take the same index twice, and say what they have', async () => {
    const make = (): Promise<string[]> => things.createIndexes([{ key: { a: 1, b: -1 }, name: 'ab', sparse: true }]);
    await make();
    await make();
    const listed = await things.indexes();
    expect(listed.map(({ name }) => name).sort()).toEqual(['_id_', 'ab']);
    expect(listed.find(({ name }) => name === 'ab')).toMatchObject({ key: { a: 1, b: -1 }, sparse: true });
  });
});
