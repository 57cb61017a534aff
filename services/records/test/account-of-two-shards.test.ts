import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { callUnary } from '@stechuhr/service';
import { buildAccount, buildInstitution, testServers, type TestServers } from '@stechuhr/testing';
import { mongo } from 'mongoose';
import { startRecords, type RunningRecords } from './support/running-records.js';

const institutions = [buildInstitution(), buildInstitution()];
const [mine, theirs] = institutions.map(({ id }) => buildAccount({ institution_id: id }));
const [accountId, other] = [String(mine?.id), String(theirs?.id)];
const own = String(mine?.institution_id);

let servers: TestServers;
let records: RunningRecords;

beforeAll(async () => {
  servers = await testServers();
  records = await startRecords(servers);
  await records.importLines(...institutions, mine ?? {}, theirs ?? {});
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await records.stop();
  await servers.stop();
});

/** As if both accounts had the first id, each on a shard of its own: on one server an id is unique. */
function onTwoShards(): void {
  const find = mongo.Collection.prototype.find;
  jest.spyOn(mongo.Collection.prototype, 'find').mockImplementation(function (
    this: mongo.Collection,
    filter: { readonly _id?: unknown } = {},
    options = {},
  ) {
    const isAsked = this.collectionName === 'accounts' && filter._id === accountId;
    return find.call(this, (isAsked ? { ...filter, _id: { $in: [accountId, other] } } : filter) as mongo.Filter<mongo.Document>, options);
  } as typeof find);
}

it('an account id of two institutions is refused unless one of them is named', async () => {
  const ask = (institutionId?: string) => callUnary(records.client, records.client.getAccount, { accountId, institutionId });
  expect(await ask()).toMatchObject({ account: { id: accountId, institutionId: own } });
  onTwoShards();
  const ids = institutions.map(({ id }) => id).sort();
  await expect(ask()).rejects.toMatchObject({
    code: 'invalid',
    details: { institution_id: [`Several institutions have this account: ${ids.join(', ')}. Name one of them.`] },
  });
  expect(await ask(own.toUpperCase())).toMatchObject({ account: { institutionId: own } });
  expect(await ask(String(theirs?.institution_id))).toMatchObject({ account: { institutionId: theirs?.institution_id } });
});
