import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { topology } from '@stechuhr/local';
import { clockVariables, heldMemory, memoryVariables, openTcpGate, toNdjson, waitFor, type TcpGate } from '@stechuhr/testing';
import { NO_LIMITS, runCli, type CliResult, type Input } from '../support/platform.js';
import { openServerSetup, type ServerSetup, type ServerSetupKind } from './servers/server-setup.js';
import { openServiceGates, type ServiceGates } from './servers/service-gates.js';
import { CHECKOUT, startPlatforms, together, type Running } from './servers/platforms.js';

/** The four servers. */
export type StoreName = 'mongodb' | 'nats' | 'redis' | 's3';
export const STORES: readonly StoreName[] = ['mongodb', 'nats', 'redis', 's3'];
export const SERVICES = topology.map(({ name }) => name);

const VARIABLES: Readonly<Record<StoreName, string>> = {
  mongodb: 'MONGODB_URL',
  nats: 'NATS_URL',
  redis: 'REDIS_URL',
  s3: 'S3_ENDPOINT',
};

/** A service under a fault. */
interface StagedService {
  readonly pid: number;
  /** `host:port` of its metrics. */
  readonly admin: string;
  /** What it holds in memory after it has collected its garbage. */
  held(): Promise<NodeJS.MemoryUsage>;
  /** SIGKILL; somebody has to restart it. */
  kill(): Promise<void>;
  /** A signal that it does not expect; what watches over it starts it again when it ends. */
  signal(name: NodeJS.Signals): void;
  restart(): Promise<void>;
}

/** The whole platform on servers of its own, with a gate on every way from a service to a server. */
export interface Stage extends Pick<ServerSetup, 'infra' | 'natsCluster' | 'natsDisks' | 'nats' | 'disks' | 'volumes' | 's3' | 'receiver'> {
  readonly baseUrl: string;
  readonly home: string;
  service(name: string): StagedService;
  /** Each as a Deployment replaces it: nobody sends it anything new, SIGTERM, and the name gets it back once it is ready. */
  replicas(name: string): readonly { replace(): Promise<void> }[];
  /** Gates between these services and a server; of all services by default. */
  gates(store: StoreName, services?: readonly string[]): readonly TcpGate[];
  /** The gate between two services, where there are some. */
  between(caller: string, callee: string): TcpGate;
  /** Lets everything pass again, makes room, wakes what was stopped, and makes every clock right. */
  heal(): void;
  /** Sets the clock of a service, which notices within a moment; 0 makes it right. */
  setClock(service: string, shiftMs: number): void;
  /** Folder for temporary files of the services; empty when nothing is left behind. */
  readonly temporary: string;
  cli(args: readonly string[], input?: Input): Promise<CliResult>;
  /** @throws when a line was not accepted */
  importLines(lines: readonly object[]): Promise<void>;
  issueToken(accountId: string): Promise<string>;
  stop(): Promise<void>;
}

/** Leases that end soon, so that a scenario does not wait for them. */
const SETTINGS = { ...NO_LIMITS, JOB_LEASE_SECONDS: '4', LOG_LEVEL: 'info' };

/** Of each service to each server; some servers have several addresses. */
type Gates = ReadonlyMap<string, ReadonlyMap<StoreName, readonly TcpGate[]>>;

/** What a stage is made of. */
export interface StageOptions {
  /** Of the replicas that each service has, built; with two, services are found by names. */
  readonly checkouts?: readonly string[];
  readonly serverSetup?: ServerSetupKind | undefined;
  /** Of the events; 1 by default. */
  readonly partitions?: number;
}

/** Starts servers, gates and services. */
export async function openStage({ checkouts = [CHECKOUT], serverSetup: kind, partitions = 1 }: StageOptions = {}): Promise<Stage> {
  const serverSetup = await openServerSetup(kind);
  const { infra, natsCluster, natsDisks, nats, disks, volumes, home, s3, receiver } = serverSetup;
  const gates = await openGates(serverSetup);
  const serviceGates = kind === 'gates between services' ? await openServiceGates() : undefined;
  const [temporary, clocks, memory] = [home.folder('tmp'), home.folder('clocks'), home.folder('memory')];
  const all = [...[...gates.values()].flatMap((own) => [...own.values()].flat()), ...(serviceGates?.gates ?? [])];
  const ends: (() => Promise<unknown>)[] = [serverSetup.close, () => Promise.all(all.map((gate) => gate.stop()))];
  const close = async () => {
    for (const end of ends.toReversed()) await end();
  };
  const settingsOf = (service: string) => serviceSettings(service, gates, { temporary, clocks, memory, serverSetup, serviceGates });
  const running = await startPlatforms(checkouts, { ...{ infra, home, ends, settingsOf }, env: settingsOn(serverSetup, partitions) }).catch(
    async (failure: unknown) => {
      await close();
      throw failure;
    },
  );
  const stopped = new Set<number>();
  const cli: Stage['cli'] = (args, input = []) =>
    runCli(args, { STECHUHR_HOME: home.path, ...running.ofCommands, ...serviceGates?.ofCommands }, input);
  return {
    baseUrl: running.baseUrl,
    ...{ infra, natsCluster, natsDisks, nats, disks, volumes, s3, receiver },
    home: home.path,
    temporary,
    service: (service) => staged(running, service, { stopped, memory }),
    replicas: (service) => running.platforms.map((_, replica) => ({ replace: () => running.replace(service, replica) })),
    gates: (store, services = SERVICES) => services.flatMap((service) => gates.get(service)?.get(store) ?? []),
    between(caller, callee) {
      if (serviceGates === undefined) throw new Error('There are no gates between services.');
      return serviceGates.between(caller, callee);
    },
    heal() {
      for (const gate of [...all, s3]) gate.release();
      for (const disk of [...Object.values(disks ?? {}), ...natsDisks]) disk.restore();
      for (const pid of stopped) signal(pid, 'SIGCONT');
      stopped.clear();
      rmSync(clocks, { recursive: true });
      mkdirSync(clocks);
    },
    setClock(service, shiftMs) {
      // In one step, or the service might read half of it.
      const draft = join(home.path, `clock-${service}`);
      writeFileSync(draft, String(shiftMs));
      renameSync(draft, join(clocks, service));
    },
    cli,
    async importLines(lines) {
      const { stdout, stderr } = await cli(['import', '--json', '-'], [toNdjson(lines)]);
      const { rejected } = JSON.parse(stdout === '' ? '{"rejected":["everything"]}' : stdout) as { rejected: readonly unknown[] };
      if (rejected.length > 0) throw new Error(`Not imported: ${JSON.stringify(rejected.slice(0, 3))} ${stderr}`);
    },
    async issueToken(accountId) {
      const { stdout, stderr } = await cli(['tokens', 'issue', '--json', '--account', accountId]);
      if (stdout === '') throw new Error(`No token was issued: ${stderr}`);
      return (JSON.parse(stdout) as { token: string }).token;
    },
    async stop() {
      for (const gate of all) gate.release();
      for (const pid of stopped) signal(pid, 'SIGCONT');
      await close();
    },
  };
}

/** Streams have as many copies as there are servers. */
function settingsOn({ natsCluster }: ServerSetup, partitions: number): Readonly<Record<string, string>> {
  return {
    ...SETTINGS,
    ...(partitions > 1 && { NATS_STREAMS: JSON.stringify({ events: { partitions } }) }),
    ...(natsCluster !== undefined && { NATS_REPLICAS: String(natsCluster.members.length) }),
  };
}

interface Watched {
  /** By SIGSTOP. */
  readonly stopped: Set<number>;
  readonly memory: string;
}

function staged({ platforms: [platform] }: Running, name: string, { stopped, memory }: Watched): StagedService {
  if (platform === undefined) throw new Error('Nothing was started.');
  const service = platform.service(name);
  return {
    get pid() {
      return service.pid;
    },
    admin: platform.run.services[name]?.admin ?? '',
    held: () => heldMemory(memory, service.pid),
    kill: () => service.kill('SIGKILL'),
    signal(signalName) {
      if (signalName === 'SIGSTOP') stopped.add(service.pid);
      signal(service.pid, signalName);
    },
    restart: () => service.restart(),
  };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

/** One for each pair of service and address of a server. */
async function openGates({ infra, s3 }: ServerSetup): Promise<Gates> {
  const targets: Readonly<Record<StoreName, readonly string[]>> = {
    mongodb: [infra.mongodbUrl],
    nats: infra.natsUrl.split(','),
    redis: [infra.redisUrl],
    s3: [`http://${s3.address}`],
  };
  const opened = topology.map(async ({ name, needs }) => {
    const ofServers = needs.map(async (store) => {
      return [store, await Promise.all(targets[store].map((target) => openTcpGate(new URL(target).host)))] as const;
    });
    return [name, new Map(await Promise.all(ofServers))] as const;
  });
  return new Map(await Promise.all(opened));
}

interface Places {
  readonly temporary: string;
  readonly clocks: string;
  readonly memory: string;
  readonly serverSetup: ServerSetup;
  readonly serviceGates: ServiceGates | undefined;
}

function serviceSettings(
  name: string,
  gates: Gates,
  { temporary, clocks, memory, serverSetup, serviceGates }: Places,
): Readonly<Record<string, string>> {
  const addresses = [...(gates.get(name) ?? [])].map(([store, own]) => {
    const scheme = store === 's3' ? 'http' : store;
    return [VARIABLES[store], own.map(({ address }) => `${scheme}://${address}`).join(',')] as const;
  });
  return {
    ...Object.fromEntries(addresses),
    // Clients of signed addresses are outside.
    S3_PUBLIC_ENDPOINT: `http://${serverSetup.s3.address}`,
    ...(name === 'webhooks' && webhookSettings(serverSetup.receiver)),
    TMPDIR: temporary,
    ...serviceGates?.variablesOf(name),
    ...together(clockVariables(clocks), memoryVariables(memory)),
  };
}

/** The receiver is on this machine; and a sender that was killed is not waited for. */
const webhookSettings = ({ caFile }: ServerSetup['receiver']): Readonly<Record<string, string>> => ({
  WEBHOOK_ALLOWED_HOSTS: 'localhost',
  WEBHOOK_CA_FILE: caFile,
  SENDER_LEASE_SECONDS: '4',
});

/** Waits until every service of the stage says that it is ready. */
export async function allReady(stage: Stage): Promise<void> {
  await waitFor(async () => (await fetch(`${stage.baseUrl.replace('/api/v2', '')}/readyz`)).ok, { timeoutMs: 60_000 });
}
