import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { startRedis, type LoneServer } from '@stechuhr/local-infra';
import { accessCache, accountCacheKey, connectRedis, createLookupCache, type LookupCache, type RedisClient } from '@stechuhr/redis';
import { loopbackCertificate, startRedisCluster, waitFor, type RedisCluster } from '@stechuhr/testing';
import { Redis } from 'ioredis';

const lines: string[] = [];
const log = (_fields: object, message: string) => void lines.push(message);
const logger = { debug: log, info: log, warn: log, error: log };

let redis: RedisClient;
let cache: LookupCache;

async function open(url: string): Promise<void> {
  redis = connectRedis({ url, logger });
  cache = createLookupCache({ redis, ...accessCache });
  await waitFor(() => redis.status === 'ready');
}

const load = (value: unknown) => async () => value;
/** Whether a value is cached: the second lookup does not return what it would load. */
const keeps = async (key: string) => {
  await cache.get(key, load('first'));
  return (await cache.get(key, load('second'))) === 'first';
};

describe('a cluster', () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
    await open(cluster.url);
  });
  afterAll(async () => {
    redis.disconnect();
    await cluster.stop();
  });

  it('caches and invalidates values on all nodes', async () => {
    // 60 random keys on three nodes: the probability that a node gets none is about 10^-10.
    for (const key of Array.from({ length: 60 }, () => accountCacheKey(randomUUID()))) {
      expect(await keeps(key)).toBe(true);
      await cache.invalidate(key);
      expect(await cache.get(key, load('new'))).toBe('new');
    }
  });

  it('answers concurrent lookups from all of its nodes', async () => {
    const keys = Array.from({ length: 60 }, () => accountCacheKey(randomUUID()));
    await Promise.all(keys.map((key) => cache.get(key, load(key))));
    expect(await Promise.all(keys.map((key) => cache.get(key, load('other'))))).toEqual(keys);
  });

  it('loads the values of a failed node, and caches them again when it is back', async () => {
    const keys = Array.from({ length: 30 }, () => accountCacheKey(randomUUID()));
    await cluster.nodes[1]?.kill();
    for (const [at, key] of keys.entries()) expect(await cache.get(key, load(at))).toBe(at);
    await cluster.nodes[1]?.restart();
    await waitFor(async () => (await Promise.all(keys.map(() => keeps(accountCacheKey(randomUUID()))))).every(Boolean));
  });
});

describe('sentinels', () => {
  let folder: string;
  let sentinelUrl: string;
  let servers: LoneServer<string>[];
  const start = async (args: readonly string[]): Promise<LoneServer<string>> => {
    const server = await startRedis({ own: true, args });
    servers.push(server);
    return server;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stechuhr-sentinel-'));
    servers = [];
    const port = new URL((await start([])).address).port;
    await start(['--replicaof', '127.0.0.1', port]);
    const settings = join(folder, 'sentinel.conf');
    await writeFile(
      settings,
      [
        `sentinel monitor main 127.0.0.1 ${port} 1`,
        'sentinel down-after-milliseconds main 500',
        'sentinel failover-timeout main 2000',
      ].join('\n'),
    );
    const sentinel = await start([settings, '--sentinel']);
    sentinelUrl = sentinel.address;
    await open(`redis+sentinel://${new URL(sentinelUrl).host}/main`);
  });
  afterAll(async () => {
    redis.disconnect();
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true });
  });

  it('lead to the promoted server', async () => {
    const key = accountCacheKey(randomUUID());
    expect(await keeps(key)).toBe(true);
    await waitFor(async () => /connected_slaves:1[^]*state=online/.test(await redis.info('replication')));
    // Sentinels learn about the replica from the server, which they query every ten seconds; without it they could not promote anything.
    const asked = new Redis(sentinelUrl);
    await waitFor(async () => ((await asked.call('SENTINEL', 'REPLICAS', 'main')) as readonly unknown[]).length === 1);
    asked.disconnect();
    await servers[0]?.kill();
    expect(await cache.get(accountCacheKey(randomUUID()), load('without'))).toBe('without');
    await waitFor(() => keeps(accountCacheKey(randomUUID())));
    expect(lines).toEqual(expect.arrayContaining(['Redis is unavailable', 'Redis is available again']));
  });
});

describe('TLS and a user', () => {
  const trusted = getCACertificates('default');
  afterAll(() => setDefaultCACertificates(trusted));

  it('come from the URL', async () => {
    const server = await startRedis({ own: true });
    const admin = new Redis(server.address);
    await admin.call('ACL', 'SETUSER', 'stechuhr', 'on', '>pass word', '~stechuhr:*', '+@all');
    await admin.call('ACL', 'SETUSER', 'default', 'off');
    admin.disconnect();
    const certificate = loopbackCertificate();
    setDefaultCACertificates([...trusted, certificate.cert]);
    const terminator = createServer(certificate, (socket) => {
      const upstream = connect(Number(new URL(server.address).port), '127.0.0.1');
      void pipeline(socket, upstream, socket).catch(() => {});
    });
    await new Promise<void>((resolve) => terminator.listen(0, '127.0.0.1', resolve));
    await open(`rediss://stechuhr:pass%20word@localhost:${String((terminator.address() as AddressInfo).port)}`);
    expect(await keeps(accountCacheKey(randomUUID()))).toBe(true);
    await expect(redis.get('another')).rejects.toThrow('NOPERM');
    redis.disconnect();
    terminator.close();
    await server.stop();
  });
});
