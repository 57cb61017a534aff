import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SLOT_MAPPING } from '@stechuhr/bus';
import { metadataOf, streams, subscriptions } from '@stechuhr/contracts';
import { topology, type ServiceDefinition } from '@stechuhr/local';
import { machineTimeout } from '@stechuhr/local-infra';
import { connectMongo, sharding } from '@stechuhr/mongo';
import { startServiceProcess, testServers, type TestServers } from '@stechuhr/testing';

/** An address without a server, for peers and the object store, which must not be needed. */
const UNREACHABLE = '127.0.0.1:1';
/** Time limit for a prepare process, which has to end by itself. */
const PREPARE_TIMEOUT_MS = 20_000;
/** Collections with indexes that are not sharded, by service (docs/sharding.md). */
const UNSHARDED: Readonly<Record<string, readonly string[]>> = {
  'daily-reports': ['deleted_institutions'],
  gateway: ['tokens'],
  webhooks: ['deleted_institutions'],
};
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const prepared = topology.filter(({ needs }) => needs.includes('mongodb'));

let servers: TestServers;
let connection: NatsConnection;
let manager: JetStreamManager;

beforeAll(async () => {
  servers = await testServers();
  connection = await connect({ servers: servers.natsUrl });
  manager = await jetstreamManager(connection);
});
beforeEach(async () => {
  for await (const { config } of manager.streams.list()) await manager.streams.delete(config.name);
});
afterAll(async () => {
  await connection.close();
  await servers.stop();
});

const mainOf = (name: string): string => fileURLToPath(new URL(`../../services/${name}/dist/main.js`, import.meta.url));

function environmentOf({ calls }: ServiceDefinition, database: string): Record<string, string> {
  const addresses = calls.map((peer) => [`${peer.toUpperCase().replaceAll('-', '_')}_ADDRESS`, UNREACHABLE]);
  return {
    MONGODB_URL: servers.mongodbUrl,
    MONGODB_DATABASE: servers.database(database),
    NATS_URL: servers.natsUrl,
    REDIS_URL: servers.redisUrl,
    ...{ S3_ENDPOINT: `http://${UNREACHABLE}`, S3_ACCESS_KEY: 'nobody', S3_SECRET_KEY: 'nobodys-key', S3_BUCKET: 'nothing' },
    ...{ ADMIN_PORT: '0', GRPC_BIND: '127.0.0.1:0', PORT: '0' },
    ...(Object.fromEntries(addresses) as Record<string, string>),
  };
}

/** Runs `prepare`. @returns the exit code and the output; `killed` if it did not end by itself */
async function prepare(name: string, env: Readonly<Record<string, string>>): Promise<{ outcome: number | 'killed'; output: string }> {
  const child = spawn(process.execPath, [mainOf(name), 'prepare'], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const forget = machineTimeout(() => child.kill('SIGKILL'), PREPARE_TIMEOUT_MS);
  const [[code], output] = await Promise.all([once(child, 'exit') as Promise<[number | null]>, text(child.stdout)]);
  forget();
  return { outcome: code ?? 'killed', output };
}

/** Returns the indexes by collection, without those on `_id`. */
async function indexesOf(database: string): Promise<Record<string, string[]>> {
  const mongo = await connectMongo({ url: servers.mongodbUrl, database: servers.database(database), logger: silent });
  const found: Record<string, string[]> = {};
  for (const { name } of await mongo.connection.listCollections()) {
    const indexes = await mongo.connection.collection(name).indexes();
    const declared = indexes.map((index) => String(index.name)).filter((index) => index !== '_id_');
    if (declared.length > 0) found[name] = declared.sort();
  }
  await mongo.close();
  return found;
}

const namesOf = async <T>(list: AsyncIterable<T>, name: (each: T) => string): Promise<string[]> => {
  const names: string[] = [];
  for await (const each of list) names.push(name(each));
  return names.sort();
};

/** Returns unique indexes other than `_id`, which a sharded cluster keeps unique only per shard. */
async function uniqueIndexesOf(database: string): Promise<[collection: string, fields: string][]> {
  const mongo = await connectMongo({ url: servers.mongodbUrl, database: servers.database(database), logger: silent });
  const found: [string, string][] = [];
  for (const { name } of await mongo.connection.listCollections()) {
    const indexes = await mongo.connection.collection(name).indexes();
    for (const { key, unique } of indexes) if (unique === true && !('_id' in key)) found.push([name, Object.keys(key).join()]);
  }
  await mongo.close();
  return found;
}

describe.each(prepared)('main.js prepare of $name', (service) => {
  const { name } = service;

  it('creates the indexes, streams and consumers of the service, needs no peers, handles no work and ends', async () => {
    expect(await prepare(name, environmentOf(service, `${name}_prepared`))).toMatchObject({ outcome: 0 });
    expect(await namesOf(manager.streams.list(), ({ config }) => config.name)).toEqual(
      Object.values(streams)
        .map((each) => each.name)
        .sort(),
    );
    for (const { name: stream } of Object.values(streams)) {
      const wanted = subscriptions.flatMap((line) => (line.stream === stream ? [line.durable] : []));
      expect(await namesOf(manager.consumers.list(stream), (each) => each.name)).toEqual(wanted.sort());
      for await (const { num_waiting, delivered } of manager.consumers.list(stream))
        expect({ num_waiting, delivered }).toEqual({ num_waiting: 0, delivered: expect.objectContaining({ consumer_seq: 0 }) });
    }
    const indexes = await indexesOf(`${name}_prepared`);
    const started = await startServiceProcess({ main: mainOf(name), env: environmentOf(service, `${name}_started`) });
    await started.stop();
    expect(indexes).toEqual(await indexesOf(`${name}_started`));
    expect(Object.keys(indexes)).not.toEqual([]);
    const sharded = sharding[`stechuhr_${name.replaceAll('-', '_')}`] ?? {};
    for (const [collection, fields] of await uniqueIndexesOf(`${name}_prepared`))
      if (collection !== 'tokens')
        expect(`${fields},`).toMatch(new RegExp(`^${Object.keys(sharded[collection]?.key ?? { unknown: 1 }).join()},`));
    for (const [collection, { replaced = [] }] of Object.entries(sharded))
      expect((indexes[collection] ?? []).filter((index) => replaced.includes(index))).toEqual([]);
    expect(Object.keys(indexes).filter((collection) => !(collection in sharded))).toEqual(UNSHARDED[name] ?? []);
  });
});

describe('main.js prepare', () => {
  const [service] = prepared as [ServiceDefinition];

  it.each([
    ['MongoDB', { MONGODB_URL: `mongodb://${UNREACHABLE}/?serverSelectionTimeoutMS=1000` }, /ECONNREFUSED/],
    ['NATS', { NATS_URL: `nats://${UNREACHABLE}` }, /NATS/],
  ])('fails with the reason if there is no %s', async (_server, missing, reason) => {
    const { outcome, output } = await prepare(service.name, { ...environmentOf(service, 'missing'), ...missing });
    expect({ outcome, output }).toEqual({ outcome: 1, output: expect.stringMatching(reason) });
  });

  it('says in its log why live objects cannot have the wanted number of partitions', async () => {
    const wanted = (partitions: number) => ({ NATS_STREAMS: JSON.stringify({ ingest: { partitions } }) });
    const unmapped = await prepare(service.name, { ...environmentOf(service, 'partitions'), ...wanted(2) });
    expect(unmapped).toEqual({ outcome: 1, output: expect.stringContaining(SLOT_MAPPING) });
    await prepare(service.name, environmentOf(service, 'partitions'));
    await manager.streams.update(streams.ingest.name, { metadata: metadataOf({ partitions: 4, streams: 1 }) });
    const fewer = await prepare(service.name, { ...environmentOf(service, 'partitions'), ...wanted(2) });
    expect(fewer).toEqual({ outcome: 1, output: expect.stringContaining('their number can only be raised') });
  });
});
