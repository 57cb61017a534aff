import { Redis } from 'ioredis';
import { startRedis, type LoneServer } from '@stechuhr/local-infra';
import { waitFor } from './wait-for.js';

/** A Redis Cluster of three masters, without replicas. */
export interface RedisCluster {
  /** `redis+cluster://…` */
  readonly url: string;
  /** The nodes, which tests may kill and restart. */
  readonly nodes: readonly LoneServer<string>[];
  stop(): Promise<void>;
}

/** The hash slots of each node, 16,384 in total. */
const SHARES = [
  [0, 5_460],
  [5_461, 10_922],
  [10_923, 16_383],
] as const;

/** Starts a Redis Cluster and waits until every node reports that it is healthy. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const args = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000'];
  const nodes = await Promise.all(SHARES.map(() => startRedis({ own: true, args })));
  const clients = nodes.map(({ address }) => new Redis(address));
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    await Promise.all(clients.map((client, at) => client.call('CLUSTER', 'ADDSLOTSRANGE', ...(SHARES[at] ?? []))));
    // Different epochs avoid a conflict resolution between the nodes.
    await Promise.all(clients.map((client, at) => client.call('CLUSTER', 'SET-CONFIG-EPOCH', at + 1)));
    const hosts = nodes.map(({ address }) => new URL(address));
    for (const { hostname, port } of hosts.slice(1)) await clients[0]?.call('CLUSTER', 'MEET', hostname, port);
    await waitFor(async () => {
      const states = await Promise.all(clients.map((client) => client.call('CLUSTER', 'INFO')));
      return states.every((state) => /cluster_state:ok[^]*cluster_known_nodes:3/.test(String(state)));
    });
    return { url: `redis+cluster://${hosts.map(({ host }) => host).join(',')}`, nodes, stop };
  } catch (caught) {
    await stop();
    throw caught;
  } finally {
    for (const client of clients) client.disconnect();
  }
}
