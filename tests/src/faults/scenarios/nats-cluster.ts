import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { streams } from '@stechuhr/contracts';
import { waitFor, type NatsCluster, type NatsMember } from '@stechuhr/testing';
import type { Load } from '../load.js';
import type { Stage } from '../stage.js';
import { WHILE_MS, type Scenario } from './scenario.js';

/** Creates a scenario with three NATS servers and streams with three copies; a message is acknowledged when a majority has stored it. */
const onThreeServers = (name: string, strike: (cluster: NatsCluster, load: Load) => Promise<void>): Scenario => ({
  group: 'three NATS servers',
  name,
  serverSetup: 'three NATS servers',
  strike: ({ natsCluster }: Stage, load) => {
    if (natsCluster === undefined) throw new Error('There is one server only.');
    return strike(natsCluster, load);
  },
});

export const natsCluster: readonly Scenario[] = [
  onThreeServers('leader of each stream killed, one after the other', async (cluster, load) => {
    for (const { name } of Object.values(streams)) await withServerDown(cluster, await leaderOf(cluster, name), () => load.mostServed());
  }),
  onThreeServers('leader of the cluster killed', async (cluster, load) => {
    await withServerDown(cluster, memberOf(cluster, await cluster.leader()), () => load.mostServed());
  }),
  onThreeServers('leader of the events lost with its store', async (cluster, load) => {
    await withServerDown(cluster, await leaderOf(cluster, streams.events.name), async (lost) => {
      await lost.clear();
      await load.mostServed();
    });
  }),
  onThreeServers('two of three servers killed', async (cluster) => {
    const [first, second] = cluster.members;
    await Promise.all([first?.kill(), second?.kill()]);
    // Without a majority no message is acknowledged.
    await pause(2 * WHILE_MS);
    await Promise.all([first?.restart(), second?.restart()]);
    await cluster.ready();
  }),
  onThreeServers('all servers killed and started one after the other', async (cluster) => {
    await Promise.all(cluster.members.map((member) => member.kill()));
    await pause(WHILE_MS);
    for (const member of cluster.members) await member.restart();
    await cluster.ready();
  }),
];

/** A server with a full disk leaves the cluster. It is restarted when there is space again, like by the chart's liveness probe. */
export const natsDisk: Scenario = {
  group: 'disks',
  name: 'disk of one of three NATS servers full',
  serverSetup: 'three NATS servers on small disks',
  async strike({ natsCluster: cluster, natsDisks }, load) {
    if (cluster === undefined) throw new Error('There is one server only.');
    const member = await leaderOf(cluster, streams.events.name);
    const disk = natsDisks[cluster.members.indexOf(member)];
    disk?.fill();
    await load.mostServed();
    await waitFor(async () => !(await member.hasJetStream()));
    await pause(2 * WHILE_MS);
    await load.mostServed();
    disk?.restore();
    await withServerDown(cluster, member, () => load.mostServed());
  },
};

/** Kills a server, runs the work, restarts the server and waits until it has caught up. */
async function withServerDown(cluster: NatsCluster, member: NatsMember, work: (member: NatsMember) => Promise<unknown>): Promise<void> {
  await member.kill();
  try {
    await work(member);
  } finally {
    await member.restart();
  }
  await cluster.ready();
}

function memberOf({ members }: NatsCluster, name: string | undefined): NatsMember {
  const member = members.find((one) => one.name === name);
  if (member === undefined) throw new Error(`${name ?? 'The leader'} is not a member of the cluster.`);
  return member;
}

/** Returns the leader of a stream. */
async function leaderOf(cluster: NatsCluster, stream: string): Promise<NatsMember> {
  const connection = await connect({ servers: cluster.members.map(({ address }) => address) });
  try {
    const manager = await jetstreamManager(connection);
    const leader = await waitFor(async () => (await manager.streams.info(stream)).cluster?.leader);
    return memberOf(cluster, leader);
  } finally {
    await connection.close();
  }
}
