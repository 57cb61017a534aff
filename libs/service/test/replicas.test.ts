import dns from 'node:dns';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { experimental } from '@grpc/grpc-js';
import { recordsV1 } from '@stechuhr/contracts';
import { callUnary, createGrpcClient, startGrpcServer, type GrpcServer } from '@stechuhr/service';
import { waitFor } from '@stechuhr/testing';
import { headlessTarget } from '../src/grpc/headless-resolver.js';
import { accountRequest } from './support.js';

const logger = { debug() {}, info() {}, warn() {}, error() {} };

const replicaAt = (bind: string, answered: string[]): Promise<GrpcServer> => {
  const getAccount = (_: unknown, callback: (error: null, account: recordsV1.Account) => void): void => {
    answered.push(bind.slice(0, bind.indexOf(':')));
    callback(null, recordsV1.Account.fromPartial({}));
  };
  return startGrpcServer({
    bind,
    services: [{ definition: recordsV1.RecordsServiceService, implementation: { getAccount } }],
    logger,
  });
};

let named: readonly string[];
let client: recordsV1.RecordsServiceClient | undefined;
const servers: GrpcServer[] = [];

beforeEach(() => {
  // No other names are resolved here.
  jest.spyOn(dns.promises, 'lookup').mockImplementation((() => Promise.resolve(named.map((address) => ({ address, family: 4 })))) as never);
});
afterEach(async () => {
  client?.close();
  client = undefined;
  for (const server of servers.splice(0)) await server.stop();
  jest.restoreAllMocks();
});

// Other systems only have one loopback address.
const itWithAddresses = process.platform === 'linux' ? it : it.skip;

itWithAddresses(
  'calls a replica that DNS has come to name while its connections are well, and leaves one that DNS no longer names',
  async () => {
    const answered: string[] = [];
    named = ['127.0.0.1'];
    const first = await replicaAt('127.0.0.1:0', answered);
    servers.push(first);
    const records = createGrpcClient(recordsV1.RecordsServiceClient, `records.test:${String(first.port)}`);
    client = records;
    const ask = () => callUnary(records, records.getAccount, accountRequest('a'));
    await ask();
    servers.push(await replicaAt(`127.0.0.2:${String(first.port)}`, answered));
    named = ['127.0.0.1', '127.0.0.2'];
    await waitFor(() => ask().then(() => answered.includes('127.0.0.2')));
    named = ['127.0.0.2'];
    await waitFor(async () => {
      answered.length = 0;
      await Promise.all([ask(), ask(), ask(), ask()]);
      return !answered.includes('127.0.0.1');
    });
  },
);

it('does not connect anew to the same replicas in another order, as a server of DNS that rotates its answers names them', async () => {
  named = ['127.0.0.1', '127.0.0.2'];
  const lookups = jest.mocked(dns.promises.lookup).mock.calls;
  const passedOn: number[] = [];
  headlessTarget('records.test:1');
  const target = { scheme: 'headless', authority: '', path: 'records.test:1' };
  const resolver = experimental.createResolver(target, (found) => passedOn.push(found.ok ? found.value.length : 0) > 0, {
    'grpc.dns_min_time_between_resolutions_ms': 1_000,
  });
  resolver.updateResolution();
  await waitFor(() => passedOn.length === 1);
  named = ['127.0.0.2', '127.0.0.1'];
  const before = lookups.length;
  await waitFor(() => lookups.length === before + 2);
  named = ['127.0.0.2'];
  await waitFor(() => passedOn.at(-1) === 1);
  expect(passedOn).toEqual([2, 1]);
  resolver.destroy();
});
