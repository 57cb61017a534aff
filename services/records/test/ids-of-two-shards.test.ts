import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { buildContract, buildEmployee, buildInstitution, testServers, type TestServers } from '@stechuhr/testing';
import { mongo } from 'mongoose';
import { applyAll, startReplica, type Replica } from './support/replica.js';

const institutions = [buildInstitution(), buildInstitution()];
const staff = institutions.map(({ id }) => buildEmployee({ institution_id: id }));
const [shared = '', other = ''] = staff.map(({ id }) => id);

let servers: TestServers;
let replica: Replica;

beforeAll(async () => {
  servers = await testServers();
  replica = await startReplica(servers, servers.database('records'));
  for (const lines of [institutions, staff])
    await applyAll(
      replica,
      lines.map((line) => ({ line })),
    );
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await replica.close();
  await servers.stop();
});

interface Filter {
  readonly _id?: { readonly $in?: readonly string[] };
}

/** As if both employees had the first id, each on a shard of its own: on one server an id is unique. */
function onTwoShards(): void {
  const find = mongo.Collection.prototype.find;
  jest.spyOn(mongo.Collection.prototype, 'find').mockImplementation(function (this: mongo.Collection, filter: Filter = {}, options = {}) {
    const isAsked = this.collectionName === 'employees' && filter._id?.$in?.includes(shared) === true;
    const both = isAsked ? { ...filter, _id: { $in: [shared, other] } } : filter;
    const found = find.call(this, both as mongo.Filter<mongo.Document>, options);
    return isAsked ? found.map((document) => (String(document._id) === other ? { ...document, _id: shared } : document)) : found;
  } as typeof find);
}

it('a group of two institutions may refer to employees that have the same id', async () => {
  onTwoShards();
  const contracts = institutions.map(({ id }, index) => ({
    line: buildContract({ institution_id: id, employee_id: shared }),
    sequence: index + 1,
  }));
  expect(await applyAll(replica, contracts)).toEqual(['accepted', 'accepted']);
});
