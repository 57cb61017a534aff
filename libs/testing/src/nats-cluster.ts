import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, Home, startNats, type LoneServer } from '@stechuhr/local-infra';
import { waitFor } from './wait-for.js';

/** A cluster of three NATS servers that replicate streams. */
export interface NatsCluster {
  /** The addresses of all members, separated by commas. */
  readonly url: string;
  readonly members: readonly NatsMember[];
  /** Returns the name of the leader of the cluster. @throws if there is none */
  leader(): Promise<string>;
  /** Waits until every member has up-to-date replicas of its streams and consumers. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

/** A server of the cluster. */
export interface NatsMember {
  /** Its name in JetStream. */
  readonly name: string;
  readonly address: string;
  /** Whether JetStream is enabled: a server with a full disk disables it until it is restarted. */
  hasJetStream(): Promise<boolean>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Restarts it with its data. */
  restart(): Promise<void>;
  /** Removes its data; it must not be running. */
  clear(): Promise<void>;
}

interface Member extends NatsMember {
  readonly monitor: string;
  stop(): Promise<void>;
}

const MEMBERS = 3;

/** Additional setup of a member. */
export interface MemberSetup {
  /** Configuration in addition to that of the cluster. */
  readonly configuration: string;
  /** Called after it has stopped, before its folder is removed. */
  end(): void;
}

const ordinary = (): MemberSetup => ({ configuration: '', end: () => undefined });

/** Starts the cluster and waits until it has a leader. */
export async function startNatsCluster(setup: (home: Home, member: number) => MemberSetup = ordinary): Promise<NatsCluster> {
  const routes = await ports();
  const monitors = await ports();
  const members = await Promise.all(routes.map((route, at) => startMember({ at, route, routes, monitor: monitors[at] ?? 0, setup })));
  const stop = async (): Promise<void> => {
    await Promise.all(members.map((member) => member.stop()));
  };
  const leader = async (): Promise<string> => {
    const [first, ...others] = await Promise.all(members.map(leaderBy));
    if (first === undefined || others.some((other) => other !== first)) throw new Error('The cluster has no leader.');
    return first;
  };
  const ready = async (): Promise<void> => {
    await waitFor(async () => (await Promise.all(members.map(isWell))).every(Boolean));
  };
  try {
    await waitFor(leader);
    await ready();
  } catch (caught) {
    await stop();
    throw caught;
  }
  return { url: members.map(({ address }) => address).join(','), members, leader, ready, stop };
}

const ports = (): Promise<readonly number[]> => Promise.all(Array.from({ length: MEMBERS }, () => freePort()));

interface Place {
  readonly at: number;
  readonly route: number;
  readonly routes: readonly number[];
  readonly monitor: number;
  readonly setup: (home: Home, member: number) => MemberSetup;
}

async function startMember({ at, route, routes, monitor, setup }: Place): Promise<Member> {
  const name = `nats-${String(at)}`;
  const home = await Home.temporary();
  const own = setup(home, at);
  const configuration = configurationOf({ name, route, routes, monitor }) + own.configuration;
  const server: LoneServer<string> = await startNats({ home, own: true, configuration });
  const monitorUrl = `http://127.0.0.1:${String(monitor)}`;
  return {
    name,
    address: server.address,
    monitor: monitorUrl,
    hasJetStream: async () => (await fetch(`${monitorUrl}/healthz?js-enabled-only=true`)).ok,
    kill: () => server.kill(),
    restart: () => server.restart(),
    clear: () => rm(join(home.path, 'data', 'nats', 'jetstream'), { recursive: true }),
    async stop() {
      await server.stop();
      own.end();
      await home.close();
    },
  };
}

/** Disables the advertisement of members to clients, because clients may reach them only through a gate. */
function configurationOf({ name, route, routes, monitor }: Omit<Place, 'at' | 'setup'> & { readonly name: string }): string {
  const urls = routes.map((port) => `"nats-route://127.0.0.1:${String(port)}"`).join(', ');
  return [
    `server_name: ${name}`,
    `http: "127.0.0.1:${String(monitor)}"`,
    `cluster { name: test, listen: "127.0.0.1:${String(route)}", no_advertise: true, routes: [${urls}] }`,
    '',
  ].join('\n');
}

/** Returns the leader according to a member. */
async function leaderBy({ monitor }: Member): Promise<string | undefined> {
  const answer = await fetch(`${monitor}/jsz`);
  const { meta_cluster: cluster } = (await answer.json()) as { readonly meta_cluster?: { readonly leader?: string } };
  return cluster?.leader;
}

const isWell = async ({ monitor }: Member): Promise<boolean> => (await fetch(`${monitor}/healthz`)).ok;
