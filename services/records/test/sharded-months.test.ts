import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { newId, systemClock } from '@stechuhr/kernel';
import { connectMongo, sharding, type MongoDb } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import { testServers, type TestServers } from '@stechuhr/testing';
import { mongo } from 'mongoose';
import { monthId, type MonthAddress } from '../src/domain/month.js';
import type { MonthWrite } from '../src/domain/month-draft.js';
import { createMonthStore } from '../src/store/month-store.js';

let servers: TestServers;
let database: MongoDb;

beforeAll(async () => {
  servers = await testServers();
  const options = { url: servers.mongodbUrl, database: servers.database('records'), logger: createLogger('test', 'fatal') };
  database = await connectMongo(options);
});
afterAll(async () => {
  await database.close();
  await servers.stop();
});

it('an upsert of a month that replaces a deleted one contains its whole shard key', async () => {
  const address: MonthAddress = { institutionId: newId(), employeeId: newId(), year: 2026, month: 3 };
  const months = createMonthStore(database, systemClock);
  const write: MonthWrite<never> = {
    address,
    after: undefined,
    gone: false,
    record: undefined,
    changesRecord: false,
    workdays: { all: [] },
    bytes: 0,
    events: [],
  };
  const stored = async () => (await months.loadHeads([address])).get(monthId(address));
  await months.save([write]);
  // Its last event has not been published yet.
  await database.connection.collection('workmonths').updateOne({}, { $set: { deleted_at: new Date() } });
  const writing = jest.spyOn(mongo.Collection.prototype, 'bulkWrite');
  try {
    expect(await months.save([{ ...write, after: await stored() }])).toBe(true);
    const [[operation]] = writing.mock.calls[0] as unknown as [[{ updateOne: mongo.UpdateOneModel }]];
    expect(operation.updateOne).toMatchObject({ upsert: true });
    expect(Object.keys(operation.updateOne.filter)).toEqual(
      expect.arrayContaining(Object.keys(sharding.stechuhr_records?.workmonths?.key ?? {})),
    );
  } finally {
    writing.mockRestore();
  }
  expect(await stored()).toMatchObject({ address, gone: false });
});
