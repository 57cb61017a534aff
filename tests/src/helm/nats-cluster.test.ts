import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prepareBus } from '@stechuhr/bus';
import { ingestSubject, partitionedStreams, slotOf, streams } from '@stechuhr/contracts';
import { freePort, Home, provideTool, startProcess, type ManagedProcess } from '@stechuhr/local-infra';
import { createLogger } from '@stechuhr/service';
import { waitFor } from '@stechuhr/testing';
import { openChart, type Rendered, SEED } from './chart.js';

const MEMBERS = [0, 1, 2];
const NAME = 'demo-stechuhr-nats';
const podOf = (index: number): string => `${NAME}-${index}`;
const STREAM = streams.events.name;

interface Member {
  readonly client: number;
  readonly peers: number;
  readonly monitor: number;
}

let home: Home;
let release: Rendered;
let command: string;
let members: readonly Member[];
let processes: ManagedProcess[];
let operator: NatsConnection;
let provisioner: NatsConnection;
let manager: JetStreamManager;

const folderOf = (index: number): string => join(home.folder('nats'), podOf(index));

/** Starts a member with the chart's configuration, adapted to this machine. */
async function startMember(index: number): Promise<ManagedProcess> {
  const { client, peers, monitor } = members[index] as Member;
  const configuration: string = release.object('Secret', `${NAME}-config`)['stringData']['nats.conf'];
  const here = members.reduce(
    (text, member, other) => text.replace(`@${podOf(other)}.${NAME}-peers:6222`, `@127.0.0.1:${member.peers}`),
    configuration
      .replace('port: 4222', `listen: "127.0.0.1:${client}"`)
      .replace('http_port: 8222', `http: "127.0.0.1:${monitor}"`)
      .replace('0.0.0.0:6222', `127.0.0.1:${peers}`)
      .replace('store_dir: /data', `store_dir: "${folderOf(index)}"`),
  );
  const file = join(home.folder('nats'), `${podOf(index)}.conf`);
  writeFileSync(file, here);
  const logFile = join(home.folder('logs'), `${podOf(index)}.log`);
  const env = { POD_NAME: podOf(index) };
  return startProcess({ name: podOf(index), command, args: ['--config', file], env, logFile, graceMs: 5_000 }, home);
}

const credentialsOf = (user: string): URL =>
  new URL((release.object('Secret', NAME)['stringData'] as Readonly<Record<string, string>>)[user] ?? '');

const addresses = (): string[] => members.map(({ client }) => `127.0.0.1:${client}`);

function connectAs(user: string, servers = addresses()): Promise<NatsConnection> {
  const { password: pass } = credentialsOf(user);
  return connect({ servers, user, pass, inboxPrefix: `_INBOX_${user}`, maxReconnectAttempts: -1 });
}

/** Sends the same request as the probe of the pod. */
const isHealthy = async (index: number): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${members[index]?.monitor}/healthz`).catch(() => undefined))?.ok ?? false;
const allHealthy = () => waitFor(async () => (await Promise.all(MEMBERS.map(isHealthy))).every(Boolean));

beforeAll(async () => {
  const chart = await openChart();
  release = await chart.render('bus-cluster.yaml');
  await chart.close();
  home = await Home.temporary();
  command = await provideTool('nats-server');
  members = await Promise.all(MEMBERS.map(async () => ({ client: await freePort(), peers: await freePort(), monitor: await freePort() })));
  processes = await Promise.all(MEMBERS.map(startMember));
  await allHealthy();
  [operator, provisioner] = await Promise.all([connectAs('toolbox'), connectAs('provisioner')]);
  manager = await jetstreamManager(provisioner, { checkAPI: false });
});

afterAll(async () => {
  await Promise.all([operator, provisioner].map((connection) => connection.close()));
  await Promise.all(processes.map((member) => member.stop()));
  await home.close();
});

describe('a NATS cluster of three servers', () => {
  it('has a pod, a volume and a name for each, and allows one disruption at a time', () => {
    const { spec } = release.object('StatefulSet', NAME);
    expect(spec).toMatchObject({ replicas: 3, serviceName: `${NAME}-peers`, podManagementPolicy: 'Parallel' });
    expect(spec.volumeClaimTemplates).toHaveLength(1);
    expect(release.object('Service', `${NAME}-peers`)['spec']).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
    expect(release.object('PodDisruptionBudget', NAME)['spec'].maxUnavailable).toBe(1);
  });

  it('is restarted after its disk was full, and becomes ready when its copies have caught up', () => {
    const { startupProbe, readinessProbe, livenessProbe } = release.object('StatefulSet', NAME)['spec'].template.spec.containers[0];
    const paths = [startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.path);
    expect(paths).toEqual(['/healthz', '/healthz?js-server-only=true', '/healthz?js-enabled-only=true']);
  });

  it('requires a password between its members', () => {
    const configuration: string = release.object('Secret', `${NAME}-config`)['stringData']['nats.conf'];
    expect(configuration).toMatch(/cluster \{[^}]*authorization \{ user: route, password: "[0-9a-f]{32}"/);
  });

  it('syncs each message to disk before acknowledging it', async () => {
    const { monitor } = members[0] as Member;
    const { config } = (await (await fetch(`http://127.0.0.1:${monitor}/jsz`)).json()) as {
      readonly config: { readonly sync_always?: boolean };
    };
    expect(config.sync_always).toBe(true);
  });

  it('keeps its messages and accepts new ones while a member is unavailable and returns without its volume', async () => {
    const client = jetstream(operator);
    // A healthy member may be unknown to the leader for a moment, which rejects three copies until then. Messages are accepted only after
    // the stream has a leader that all members know.
    await waitFor(() => manager.streams.add({ name: STREAM, subjects: ['stechuhr.events.>'], num_replicas: 3 }));
    const publish = (count: number, from: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => client.publish('stechuhr.events.a.b.c.d', String(from + index))));
    await waitFor(() => publish(1, 0));
    await publish(49, 1);
    const { cluster } = await manager.streams.info(STREAM);
    const lost = MEMBERS.find((index) => podOf(index) === cluster?.leader) ?? 0;
    await processes[lost]?.kill('SIGKILL');
    await rm(folderOf(lost), { recursive: true });
    await waitFor(() => publish(1, 50).then(() => true));
    processes[lost] = await startMember(lost);
    await allHealthy();
    await waitFor(async () => {
      const { cluster: now } = await manager.streams.info(STREAM);
      return now?.replicas?.length === 2 && now.replicas.every(({ current, offline }) => current && offline !== true);
    });
    expect((await manager.streams.info(STREAM)).state.messages).toBeGreaterThanOrEqual(51);
  });
});

describe('partitions of live objects in a cluster', () => {
  const { ingest } = partitionedStreams;
  const urlOf = (user: string): string => {
    const { password } = credentialsOf(user);
    return `nats://${user}:${password}@${addresses().join(',')}`;
  };
  const institutions = Array.from({ length: 12 }, () => randomUUID());

  it('have three copies, and each member distributes them and keeps the share of an institution', async () => {
    await manager.streams.delete(STREAM).catch(() => undefined);
    const limits = new Map(Object.values(streams).map(({ name }) => [name, { maxBytes: 8 * 1_048_576 }]));
    const settings = { limits, replicas: 3, partitions: { ingest: 4 } };
    const logger = createLogger('test', 'fatal');
    await prepareBus({ servers: urlOf('tasks'), provisioning: urlOf('provisioner'), name: 'test', logger, settings });
    const names = ingest.streams({ streams: 4 });
    for (const name of names) {
      const { config } = await manager.streams.update(name, { max_msgs_per_subject: 3 });
      expect(config.num_replicas).toBe(3);
    }
    for (const { client } of members) {
      const connection = await connectAs('toolbox', [`127.0.0.1:${String(client)}`]);
      for (const institution of institutions) {
        const stored = await waitFor(() => jetstream(connection).publish(ingestSubject(institution, 'employee'), '{}'));
        expect(stored.stream).toBe(ingest.stream(slotOf(institution) % 4));
      }
      await connection.close();
    }
    const refused = institutions.map((institution) => jetstream(operator).publish(ingestSubject(institution, 'employee'), '{}'));
    for (const { status } of await Promise.allSettled(refused)) expect(status).toBe('rejected');
    const stored = await Promise.all(names.map(async (name) => (await manager.streams.info(name)).state.messages));
    expect(stored.reduce((sum, count) => sum + count, 0)).toBe(3 * institutions.length);
  });
});

describe('copies of a stream', () => {
  it.each([
    [3, 3, '3'],
    [3, 1, '1'],
    [1, 3, '1'],
  ])('%i wanted with %i servers in the release are %s', async (copies, servers, given) => {
    const chart = await openChart();
    const other = await chart.render({
      infrastructure: { enabled: true, seed: SEED, replicas: { nats: servers } },
      nats: { replicas: copies, streams: { events: { partitions: 4 }, ingest: { partitions: 2 } } },
    });
    await chart.close();
    const { env } = other.object('Deployment', 'demo-stechuhr-tasks')['spec'].template.spec.containers[0];
    expect(env).toContainEqual({ name: 'NATS_REPLICAS', value: given });
    expect(env).toContainEqual({ name: 'NATS_STREAMS', value: '{"events":{"partitions":4},"ingest":{"partitions":2}}' });
  });
});
