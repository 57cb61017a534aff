import { Redis } from 'ioredis';
import { startRedis, type LoneServer } from '@stechuhr/local-infra';
import { waitFor } from './wait-for.js';

/** A Redis Cluster of three masters, without replicas. */
export interface RedisCluster {
  /** `redis+cluster://…` */
  readonly url: string;
  /** To be killed and restarted. */
  readonly nodes: readonly LoneServer<string>[];
  stop(): Promise<void>;
}

/** Of hash slots, 16,384 in all. */
const SHARES = [
  [0, 5_460],
  [5_461, 10_922],
  [10_923, 16_383],
] as const;

/** Starts a Redis Cluster and waits until every node calls it well. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const args = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000'];
  const nodes = await Promise.all(SHARES.map(() => startRedis({ own: true, args })));
  const clients = nodes.map(({ address }) => new Redis(address));
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    await Promise.all(clients.map((client, at) => client.call('CLUSTER', 'ADDSLOTSRANGE', ...(SHARES[at] ?? []))));
    // Nodes with the same epoch would have to settle first which of them is right.
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
