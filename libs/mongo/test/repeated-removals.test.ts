import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@stechuhr/kernel';
import { connectMongo, removalCollection, repeatedRemovals, type InstitutionRemoval, type MongoDb } from '@stechuhr/mongo';
import { testServers, type TestServers } from '@stechuhr/testing';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const START = Date.parse('2026-03-02T10:00:00Z');
const DELETED_AT = new Date(START - 5_000);
const silent = { debug() {}, info() {}, warn() {}, error() {} };

let servers: TestServers;
let mongo: MongoDb;
let collection: ReturnType<typeof removalCollection>;
let now = START;

beforeAll(async () => {
  servers = await testServers();
  mongo = await connectMongo({ url: servers.mongodbUrl, database: servers.database('removals'), logger: silent });
  collection = removalCollection(mongo.connection);
});
afterAll(async () => {
  await mongo.close();
  await servers.stop();
});

const open = () => repeatedRemovals(collection, { now: () => now });
const at = (minutes: number) => void (now = START + minutes * MINUTE_MS);

beforeEach(async () => {
  await collection.deleteMany({});
  at(0);
});

/** Repeats what is due. @returns the removals, in order */
async function repeated(removals = open()): Promise<InstitutionRemoval[]> {
  const done: InstitutionRemoval[] = [];
  await removals.repeatDue(async (removal) => void done.push(removal));
  return done;
}

describe('the removal of a deleted institution', () => {
  it('is repeated once, an hour later', async () => {
    const institutionId = newId();
    await open().plan({ institutionId, deletedAt: DELETED_AT });
    at(59);
    expect(await repeated()).toEqual([]);
    at(60);
    expect(await repeated()).toEqual([{ institutionId, deletedAt: DELETED_AT, removedAt: new Date(START) }]);
    at(600);
    expect(await repeated()).toEqual([]);
  });

  it('is repeated an hour after it was last handled', async () => {
    const institutionId = newId();
    await open().plan({ institutionId, deletedAt: DELETED_AT });
    at(30);
    await open().plan({ institutionId, deletedAt: DELETED_AT });
    at(60);
    expect(await repeated()).toEqual([]);
    at(90);
    expect(await repeated()).toHaveLength(1);
  });

  it('tells when it was done first, if its deletion is delivered again, but not that of another deletion', async () => {
    const institutionId = newId();
    const deletion = { institutionId, deletedAt: DELETED_AT };
    expect(await open().plan(deletion)).toBeUndefined();
    at(30);
    expect(await open().plan(deletion)).toEqual({ ...deletion, removedAt: new Date(START) });
    const later = { institutionId, deletedAt: new Date(START + 29 * MINUTE_MS) };
    expect(await open().plan(later)).toBeUndefined();
    at(90);
    expect(await repeated()).toEqual([{ ...later, removedAt: new Date(START + 30 * MINUTE_MS) }]);
  });

  it('is remembered for thirty days after its repetition, since a dead letter of its deletion may be sent again', async () => {
    const institutionId = newId();
    const deletion = { institutionId, deletedAt: DELETED_AT };
    await open().plan(deletion);
    at(60);
    await repeated();
    at(2 * DAY_MINUTES);
    expect(await open().plan(deletion)).toEqual({ ...deletion, removedAt: new Date(START) });
    at(2 * DAY_MINUTES + 60);
    expect(await repeated()).toEqual([{ ...deletion, removedAt: new Date(START) }]);
    at(33 * DAY_MINUTES);
    expect(await repeated()).toEqual([]);
    expect(await collection.countDocuments({})).toBe(0);
  });

  it('is repeated for a later deletion, also if that of an earlier one is remembered', async () => {
    const institutionId = newId();
    await open().plan({ institutionId, deletedAt: DELETED_AT });
    at(60);
    await repeated();
    const later = { institutionId, deletedAt: new Date(START + 120 * MINUTE_MS) };
    at(121);
    expect(await open().plan(later)).toBeUndefined();
    at(181);
    expect(await repeated()).toEqual([{ ...later, removedAt: new Date(START + 121 * MINUTE_MS) }]);
  });

  it('is repeated by one of several processes', async () => {
    const ids = Array.from({ length: 20 }, newId);
    for (const institutionId of ids) await open().plan({ institutionId, deletedAt: DELETED_AT });
    at(60);
    const done = (await Promise.all([repeated(), repeated(), repeated()])).flat();
    expect(done.map(({ institutionId }) => institutionId).sort()).toEqual([...ids].sort());
  });

  it('is tried again after ten minutes if it fails, and holds up no others', async () => {
    const ids = [newId(), newId()];
    for (const institutionId of ids) await open().plan({ institutionId, deletedAt: DELETED_AT });
    at(60);
    await expect(open().repeatDue(() => Promise.reject(new Error('records is unavailable')))).rejects.toThrow('records is unavailable');
    const [second] = await repeated();
    at(69);
    expect(await repeated()).toEqual([]);
    at(70);
    const [first] = await repeated();
    expect([first?.institutionId, second?.institutionId].sort()).toEqual([...ids].sort());
  });
});
