import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Decimal128, Long, MongoClient, type AnyBulkWriteOperation, type Collection, type Document, type Sort } from 'mongodb';
import { startMongo, type LoneServer } from '../src/index.js';

interface Stored extends Document {
  _id: string;
}

interface Query {
  readonly filter: Document;
  readonly sort?: Document;
  readonly skip?: number;
  readonly limit?: number;
}

/**
 * Reads that are answered from an index alone must return the same as reads of the documents. Therefore the same documents are stored in a collection
 * with indexes and in one without.
 */
let server: LoneServer<string>;
let client: MongoClient;
let indexed: Collection<Stored>;
let plain: Collection<Stored>;

beforeAll(async () => {
  server = await startMongo();
  client = await MongoClient.connect(server.address);
});

afterAll(async () => {
  await client.close();
  await server.stop();
});

beforeEach(async () => {
  [indexed, plain] = ['indexed', 'plain'].map((name) => client.db('covered').collection<Stored>(name)) as [typeof indexed, typeof plain];
  await reset();
});

async function reset(): Promise<void> {
  await Promise.all([indexed.drop(), plain.drop()]);
  // With _id, which makes the order total, so that pages can be compared as well.
  await indexed.createIndexes([{ key: { a: 1, b: -1, c: 1, _id: 1 } }, { key: { b: 1, a: 1, _id: 1 } }, { key: { c: 1 }, sparse: true }]);
}

async function write(writes: AnyBulkWriteOperation<Stored>[]): Promise<void> {
  await Promise.all([indexed.bulkWrite(writes), plain.bulkWrite(writes)]);
}

const insert = (documents: readonly Stored[]): Promise<void> => write(documents.map((document) => ({ insertOne: { document } })));

async function answers(collection: Collection<Stored>, { filter, sort, skip = 0, limit = 0 }: Query): Promise<object> {
  const cursor = collection.find(filter, { ...(sort && { sort: sort as Sort }), skip, limit });
  const found = (await cursor.toArray()).map(({ _id }) => _id);
  const bounds = { ...(skip > 0 && { skip }), ...(limit > 0 && { limit }) };
  const { n } = await client.db('covered').command({ count: collection.collectionName, query: filter, ...bounds });
  return { found: sort ? found : found.sort(), counted: await collection.countDocuments(filter, bounds), n: Number(n) };
}

async function expectSame(query: Query): Promise<object> {
  const [byIndex, byDocuments] = await Promise.all([answers(indexed, query), answers(plain, query)]);
  expect({ query, ...byIndex }).toEqual({ query, ...byDocuments });
  return byIndex;
}

const DOCUMENTS: readonly Stored[] = [
  { _id: '01', a: 1, b: 'x', c: true },
  { _id: '02', a: 1, b: 'y', c: false },
  { _id: '03', a: 2, b: 'x', c: true },
  { _id: '04', a: 2, b: 'z', c: true },
  { _id: '05', a: 2.5, b: 'x', c: new Date(0) },
  { _id: '06', a: Long.fromNumber(3), b: 'x', c: new Date(1) },
  { _id: '07', a: 3, b: 'x' },
  { _id: '08', a: 3, b: null, c: null },
  { _id: '09', a: 3 },
  { _id: '10', b: 'x', c: true },
  { _id: '11', a: '2', b: 'x', c: true },
  { _id: '12', a: '3', b: 5, c: true },
  { _id: '13', a: true, b: 5, c: 0 },
];

/** Documents with arrays, of which an index does not contain everything. */
const ARRAYS: readonly Stored[] = [
  { _id: '20', a: [1, 3], b: 'x', c: true },
  { _id: '21', a: 2, b: ['x'], c: true },
  { _id: '22', a: [], b: 'x', c: [true] },
  { _id: '23', a: { k: 1 }, b: 'x', c: true },
  { _id: '24', a: Decimal128.fromString('2'), b: 'x', c: true },
];

/** The expected count is null where servers differ in what they find. */
const QUERIES: readonly [what: string, query: Query, found: readonly string[] | null][] = [
  ['a value', { filter: { a: 3 } }, ['06', '07', '08', '09']],
  ['a value of each key', { filter: { a: 2, b: 'x', c: true } }, ['03']],
  ['$eq', { filter: { a: { $eq: 2 }, b: { $eq: 'z' } } }, ['04']],
  ['a number that is written otherwise', { filter: { a: Long.fromNumber(2) } }, ['03', '04']],
  ['$in', { filter: { a: { $in: [1, 2.5, '3'] } } }, ['01', '02', '05', '12']],
  ['$in on every key', { filter: { a: { $in: [1, 2] }, b: { $in: ['x', 'y'] }, c: { $in: [true] } } }, ['01', '03']],
  ['$in of nothing', { filter: { a: { $in: [] } } }, []],
  ['$in with null', { filter: { a: { $in: [null, 1] } } }, ['01', '02', '10']],
  ['$in with a pattern', { filter: { b: { $in: [/^[yz]/] } } }, ['02', '04']],
  ['null', { filter: { b: null } }, ['08', '09']],
  ['inclusive bounds', { filter: { a: { $gte: 2, $lte: 3 } } }, ['03', '04', '05', '06', '07', '08', '09']],
  ['strict bounds', { filter: { a: { $gt: 2, $lt: 3 } } }, ['05']],
  ['bounds that leave nothing', { filter: { a: { $gte: 3, $lte: 2 } } }, []],
  ['bounds of different types', { filter: { a: { $gt: 1, $lt: '9' } } }, []],
  ['a lower bound, which ends with its type', { filter: { a: { $gt: 2.5 } } }, ['06', '07', '08', '09']],
  ['an upper bound, which begins with its type', { filter: { a: { $lt: '3' } } }, ['11']],
  ['bounds of dates', { filter: { c: { $gt: new Date(0) }, a: 3 } }, ['06']],
  ['bounds of booleans', { filter: { a: 1, c: { $gte: true } } }, ['01']],
  ['bounds of null', { filter: { a: { $gte: null } } }, null],
  ['a bound behind a list and a value', { filter: { a: { $in: [1, 2] }, b: 'x', c: { $lte: true } } }, ['01', '03']],
  ['several conditions of one path', { filter: { a: { $in: [1, 2, 3], $gte: 2, $lt: 3 } } }, ['03', '04']],
  ['$and', { filter: { $and: [{ a: { $gte: 1 } }, { a: { $lt: 2 }, b: 'y' }] } }, ['02']],
  ['$and of what excludes each other', { filter: { $and: [{ a: 1 }, { a: 2 }] } }, []],
  ['$or', { filter: { a: 2, $or: [{ b: 'x' }, { b: 'z' }] } }, ['03', '04']],
  ['$ne', { filter: { a: 1, b: { $ne: 'x' } } }, ['02']],
  ['$exists', { filter: { a: 3, b: { $exists: false } } }, ['09']],
  ['$type', { filter: { a: 3, b: { $type: 'null' } } }, ['08']],
  ['a path that no index has', { filter: { a: 1, d: 1 } }, []],
  ['a path into a value', { filter: { a: 1, 'b.k': 1 } }, []],
  [
    'the order of the index',
    { filter: { a: { $gte: 1 } }, sort: { a: 1, b: -1, c: 1, _id: 1 } },
    ['02', '01', '04', '03', '05', '07', '06', '08', '09'],
  ],
  ['another order', { filter: { b: 'x' }, sort: { c: -1, a: 1, _id: -1 } }, ['06', '05', '10', '01', '03', '11', '07']],
  ['an order with nothing else', { filter: {}, sort: { b: -1, _id: 1 }, limit: 5 }, ['04', '02', '01', '03', '05']],
  ['an order, from behind the first', { filter: { b: 'x' }, sort: { a: -1, _id: 1 }, skip: 2, limit: 3 }, ['07', '05', '03']],
  ['an order, more than there is', { filter: { b: 'x' }, sort: { a: -1, _id: 1 }, skip: 5, limit: 30 }, ['01', '10']],
  ['an order, from behind the last', { filter: { b: 'x' }, sort: { a: -1, _id: 1 }, skip: 50 }, []],
  ['an order by what is not in the index', { filter: { a: 2 }, sort: { d: 1, _id: 1 } }, ['03', '04']],
];

describe('an index that knows all of a query', () => {
  it.each(QUERIES)('answers as the documents do: %s', async (_what, query, found) => {
    await insert(DOCUMENTS);
    const same = await expectSame(query);
    if (found && !query.skip)
      expect(same).toEqual({ found: query.sort ? found : [...found].sort(), counted: found.length, n: found.length });
    else if (found) expect(same).toMatchObject({ found });
  });

  it.each(QUERIES)('gives way where a document has more at a path than a value: %s', async (_what, query) => {
    await insert([...DOCUMENTS, ...ARRAYS]);
    await expectSame(query);
  });

  it.each<[string, Document]>([
    ['an array of its value', { $set: { a: [2] } }],
    ['an empty array', { $set: { b: [] } }],
    ['a decimal of its value', { $set: { a: Decimal128.fromString('2') } }],
    ['a document', { $set: { a: { k: 2 } } }],
    ['another value', { $set: { a: 7, b: 'w' } }],
    ['nothing', { $unset: { a: '' } }],
  ])('notices a value that becomes %s', async (_what, update) => {
    await insert(DOCUMENTS);
    await write([{ updateOne: { filter: { _id: '03' }, update } }]);
    for (const a of [2, 7, [2], { k: 2 }, { $gte: 2 }, { $lt: 3 }]) await expectSame({ filter: { a } });
    for (const a of [1, -1]) await expectSame({ filter: { b: { $in: ['x', 'w'] } }, sort: { a, _id: 1 } });
  });

  it('notices that nothing becomes an empty array, which comes before nothing', async () => {
    await insert([{ _id: '1' }, { _id: '2', b: null }, { _id: '3', b: 1 }]);
    await write([{ updateOne: { filter: { _id: '2' }, update: { $set: { b: [] } } } }]);
    expect(await expectSame({ filter: {}, sort: { b: 1, _id: 1 } })).toMatchObject({ found: ['2', '1', '3'] });
  });

  it('keeps numbers apart that differ behind the point, however large they are', async () => {
    await indexed.insertMany([3_000_000_000, 3_000_000_000.5, 3_000_000_001].map((a, n) => ({ _id: String(n), a, b: 1 })));
    const found = async (filter: Document): Promise<string[]> =>
      (await indexed.find(filter, { sort: { a: 1 } }).toArray()).map(({ _id }) => _id);
    expect(await found({ a: 3_000_000_000.5 })).toEqual(['1']);
    expect(await found({ a: { $gt: 3_000_000_000, $lt: 3_000_000_001 } })).toEqual(['1']);
    expect(await found({ b: 1 })).toEqual(['0', '1', '2']);
    expect(await indexed.countDocuments({ a: { $in: [3_000_000_000] } })).toBe(1);
  });

  it('gives each document on one page where many are equal in the order', async () => {
    await insert(Array.from({ length: 40 }, (_, n) => ({ _id: String(n), a: n % 2, b: 'x' })));
    const page = async (skip: number): Promise<string[]> =>
      (await indexed.find({ b: 'x' }, { sort: { a: -1 }, skip, limit: 7 }).toArray()).map(({ _id }) => _id);
    const pages = await Promise.all([0, 7, 14, 21, 28, 35].map(page));
    expect(new Set(pages.flat()).size).toBe(40);
  });

  it('leaves out documents that were changed or removed between two batches', async () => {
    await insert(Array.from({ length: 40 }, (_, n) => ({ _id: String(n).padStart(2, '0'), a: n, b: 'x' })));
    const cursor = indexed.find({ b: 'x' }, { sort: { a: 1 }, batchSize: 10 });
    const first = await cursor.next();
    await indexed.updateOne({ _id: '20' }, { $set: { b: 'y' } });
    await indexed.deleteOne({ _id: '30' });
    const rest = (await cursor.toArray()).map(({ _id }) => _id);
    expect([first?._id, rest.length]).toEqual(['00', 37]);
    expect(rest.filter((id) => id === '20' || id === '30')).toEqual([]);
  });
});

describe('any documents and queries', () => {
  const scalar = fc.constantFrom<unknown>(null, 0, 1, 2, 1.5, -1, Long.fromNumber(2), 'x', 'y', '', true, false, new Date(5), new Date(6));
  const whole = fc.constantFrom<unknown>([1], [1, 'x'], [], [null], [[1]], { k: 1 }, Decimal128.fromString('1'), Number.NaN);
  const path = fc.constantFrom('a', 'b', 'c');
  const fields = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Document> =>
    fc.record({ a: value, b: value, c: value }, { requiredKeys: [] });

  const operators = fc.record(
    { $eq: scalar, $in: fc.array(scalar, { maxLength: 4 }), $gt: scalar, $gte: scalar, $lt: scalar, $lte: scalar, $ne: scalar },
    { requiredKeys: [] },
  );
  const condition = fc.oneof(
    { weight: 3, arbitrary: scalar },
    { weight: 5, arbitrary: operators.map(({ $ne, ...rest }) => (Object.keys(rest).length > 0 ? rest : { $ne: $ne ?? 1 })) },
  );
  const terms = fc.dictionary(path, condition, { maxKeys: 3, noNullPrototype: true });
  const filter = fc.oneof(
    { weight: 4, arbitrary: terms },
    { weight: 1, arbitrary: fc.tuple(terms, terms).map((parts) => ({ $and: parts })) },
    { weight: 1, arbitrary: fc.tuple(terms, terms, terms).map(([own, ...parts]) => ({ ...own, $or: parts })) },
  );
  const direction = fc.constantFrom(1, -1);
  const sort = fc
    .tuple(fc.uniqueArray(path, { maxLength: 3 }), fc.array(direction, { minLength: 4, maxLength: 4 }))
    .map(([paths, directions]) => {
      return Object.fromEntries([...paths, '_id'].map((key, at) => [key, directions[at]]));
    });
  const query: fc.Arbitrary<Query> = fc.oneof(
    fc.record({ filter }),
    fc.record({ filter, sort, skip: fc.nat(4), limit: fc.nat(4) }),
    fc.record({ filter, sort }),
  );

  const id = fc.nat(15).map(String);
  const change: fc.Arbitrary<AnyBulkWriteOperation<Stored>> = fc.oneof(
    id.map((_id) => ({ deleteOne: { filter: { _id } } })),
    fc
      .tuple(id, path, fc.oneof(scalar, whole))
      .map(([_id, key, value]) => ({ updateOne: { filter: { _id }, update: { $set: { [key]: value } } } })),
    fc.tuple(id, path).map(([_id, key]) => ({ updateOne: { filter: { _id }, update: { $unset: { [key]: '' } } } })),
  );

  it.each([
    ['of plain values', scalar, [] as never[]],
    ['of anything, changed and removed', fc.oneof({ weight: 12, arbitrary: scalar }, { weight: 1, arbitrary: whole }), [change]],
  ])('are answered alike with indexes and without: documents %s', async (_what, value, [changes]) => {
    const documents = fc.array(fields(value), { maxLength: 16 });
    const cases = fc.tuple(
      documents,
      changes ? fc.array(changes, { maxLength: 6 }) : fc.constant([]),
      fc.array(query, { minLength: 8, maxLength: 8 }),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([stored, updates, queries]) => {
        await reset();
        const writes = [...stored.map((document, n) => ({ insertOne: { document: { ...document, _id: String(n) } } })), ...updates];
        if (writes.length > 0) await write(writes);
        for (const one of queries) await expectSame(one);
      }),
      { numRuns: 60 },
    );
  });
});
