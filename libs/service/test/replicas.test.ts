import dns from 'node:dns';
import { afterEach, beforeEach, it, jest } from '@jest/globals';
import { recordsV1 } from '@stechuhr/contracts';
import { callUnary, createGrpcClient, startGrpcServer, type GrpcServer } from '@stechuhr/service';
import { waitFor } from '@stechuhr/testing';
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
let client: recordsV1.RecordsServiceClient;
const servers: GrpcServer[] = [];

beforeEach(() => {
  // No other names are resolved here.
  jest.spyOn(dns.promises, 'lookup').mockImplementation((() => Promise.resolve(named.map((address) => ({ address, family: 4 })))) as never);
});
afterEach(async () => {
  client.close();
  for (const server of servers) await server.stop();
  jest.restoreAllMocks();
});

const ask = () => callUnary(client, client.getAccount, accountRequest('a'));

// Other systems only have one loopback address.
const itWithAddresses = process.platform === 'linux' ? it : it.skip;

itWithAddresses(
  'calls a replica that DNS has come to name while its connections are well, and leaves one that DNS no longer names',
  async () => {
    const answered: string[] = [];
    named = ['127.0.0.1'];
    const first = await replicaAt('127.0.0.1:0', answered);
    servers.push(first);
    client = createGrpcClient(recordsV1.RecordsServiceClient, `records.test:${String(first.port)}`);
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
  60_000,
);
