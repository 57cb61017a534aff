import { Redis } from 'ioredis';
import { startRedis, type LoneServer } from '@stechuhr/local-infra';
import { waitFor } from './wait-for.js';

/** A Redis Cluster of three masters, without replicas. */
export interface RedisCluster {
  /** `redis+cluster://…` */
  readonly url: string;
  /** For killing and restarting nodes. */
  readonly nodes: readonly LoneServer<string>[];
  stop(): Promise<void>;
}

/** Ranges of the 16,384 hash slots. */
const SHARES = [
  [0, 5_460],
  [5_461, 10_922],
  [10_923, 16_383],
] as const;

/** Starts a Redis Cluster and waits until every node reports it as ok. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const args = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000'];
  const nodes = await Promise.all(SHARES.map(() => startRedis({ own: true, args })));
  const clients = nodes.map(({ address }) => new Redis(address));
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    await Promise.all(clients.map((client, at) => client.call('CLUSTER', 'ADDSLOTSRANGE', ...(SHARES[at] ?? []))));
    // Nodes with the same epoch would first have to resolve the conflict.
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
