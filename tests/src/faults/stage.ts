import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SLOT_MAPPING } from '@stechuhr/bus';
import { byPartitioned } from '@stechuhr/contracts';
import { topology } from '@stechuhr/local';
import { clockVariables, heldMemory, memoryVariables, openTcpGate, toNdjson, waitFor, type TcpGate } from '@stechuhr/testing';
import { COMPILED, NO_LIMITS, runCli, type CliResult, type Input } from '../support/platform.js';
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

/** A service on the stage. */
interface StagedService {
  readonly pid: number;
  /** `host:port` of its metrics. */
  readonly admin: string;
  /** Returns the memory usage after a garbage collection. */
  held(): Promise<NodeJS.MemoryUsage>;
  /** Sends SIGKILL; the service is not restarted automatically. */
  kill(): Promise<void>;
  /** Sends a signal; if the service ends, it is restarted automatically. */
  signal(name: NodeJS.Signals): void;
  restart(): Promise<void>;
}

/** The whole platform on separate servers, with a gate on every connection between a service and a server. */
export interface Stage extends Pick<ServerSetup, 'infra' | 'natsCluster' | 'natsDisks' | 'nats' | 'disks' | 'volumes' | 's3' | 'receiver'> {
  readonly baseUrl: string;
  readonly home: string;
  service(name: string): StagedService;
  /** Returns the replicas of a service, which can be replaced like by a Deployment. */
  replicas(name: string): readonly { replace(): Promise<void> }[];
  /** Returns the gates between a server and these services; all services by default. */
  gates(store: StoreName, services?: readonly string[]): readonly TcpGate[];
  /** Returns the gate between two services. @throws Error if the stage has no such gates */
  between(caller: string, callee: string): TcpGate;
  /** Undoes all faults: opens gates, frees disks, continues stopped processes, and corrects clocks. */
  heal(): void;
  /** Shifts the clock of a service, which takes effect within half a second; 0 corrects it. */
  setClock(service: string, shiftMs: number): void;
  /** Folder for temporary files of the services, which has to be empty in the end. */
  readonly temporary: string;
  cli(args: readonly string[], input?: Input): Promise<CliResult>;
  /** Imports lines. @throws Error if a line is rejected */
  importLines(lines: readonly object[]): Promise<void>;
  issueToken(accountId: string): Promise<string>;
  stop(): Promise<void>;
}

/** Settings with short leases, so that scenarios do not have to wait long for their expiry. */
const SETTINGS = { ...NO_LIMITS, ...COMPILED, JOB_LEASE_SECONDS: '4', LOG_LEVEL: 'info' };

/** The gates of each service to each server; some servers have several addresses. */
type Gates = ReadonlyMap<string, ReadonlyMap<StoreName, readonly TcpGate[]>>;

/** Options of a stage. */
export interface StageOptions {
  /** Built checkouts, one per replica. With two, services are found by names. */
  readonly checkouts?: readonly string[];
  readonly serverSetup?: ServerSetupKind | undefined;
  /** Number of partitions of each partitioned stream; 1 by default. */
  readonly partitions?: number;
}

/** Starts servers, gates and services. */
export async function openStage({ checkouts = [CHECKOUT], serverSetup: kind, partitions = 1 }: StageOptions = {}): Promise<Stage> {
  const serverSetup = await openServerSetup(kind, partitions > 1 ? `${SLOT_MAPPING}\n` : '');
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
      // Written atomically, because the service could otherwise read an incomplete file.
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

/** Returns the settings for streams, which have as many copies as there are servers. */
function settingsOn({ natsCluster }: ServerSetup, partitions: number): Readonly<Record<string, string>> {
  return {
    ...SETTINGS,
    ...(partitions > 1 && { NATS_STREAMS: JSON.stringify(byPartitioned(() => ({ partitions }))) }),
    ...(natsCluster !== undefined && { NATS_REPLICAS: String(natsCluster.members.length) }),
  };
}

interface Watched {
  /** Processes stopped by SIGSTOP. */
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
    // The process has already ended.
  }
}

/** Opens a gate for each pair of service and server address. */
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
    // Clients use signed URLs from outside.
    S3_PUBLIC_ENDPOINT: `http://${serverSetup.s3.address}`,
    ...(name === 'webhooks' && webhookSettings(serverSetup.receiver)),
    TMPDIR: temporary,
    ...serviceGates?.variablesOf(name),
    ...together(clockVariables(clocks), memoryVariables(memory)),
  };
}

/** Returns settings that allow a receiver on this machine, and short leases for deliveries of a killed process. */
const webhookSettings = ({ caFile }: ServerSetup['receiver']): Readonly<Record<string, string>> => ({
  WEBHOOK_ALLOWED_HOSTS: 'localhost',
  WEBHOOK_CA_FILE: caFile,
  SENDER_LEASE_SECONDS: '4',
});

/** Waits until every service of the stage is ready. */
export async function allReady(stage: Stage): Promise<void> {
  await waitFor(async () => (await fetch(`${stage.baseUrl.replace('/api/v2', '')}/readyz`)).ok, { timeoutMs: 60_000 });
}
