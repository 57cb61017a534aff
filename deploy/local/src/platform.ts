import { freePort, Home, startInfra, type Infra, type Log } from '@stechuhr/local-infra';
import { addressVariables, passedOn, serverVariables, serviceEnvironment, type Ports } from './environment.js';
import { keepRunning } from './keep-running.js';
import { startObservation, type Observation } from './observe/observation.js';
import { gatewayPort } from './port.js';
import { infraOf, removeRunFile, writeRunFile, type DemoAccess, type RunFile } from './run-file.js';
import { Service } from './service.js';
import { topology, type ServiceDefinition } from './topology.js';

/** How to start the platform. */
export interface PlatformOptions {
  /** The state folder: data, logs, `run.json`. Two platforms with separate folders can run at the same time. */
  readonly home: Home | string;
  /** The port of the gateway; 0 chooses any free port. */
  readonly port?: number;
  /** Settings for the services, in addition to documented variables of this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Settings for single services, by name; they take precedence. */
  readonly serviceEnv?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Names of services to start; all by default. */
  readonly services?: readonly string[];
  /** Whether to start traces, metrics and dashboards as well. */
  readonly observe?: boolean;
  /** Ignores servers named in the environment. */
  readonly own?: boolean;
  /** Addresses of running servers, such as `MONGODB_URL`; they are used even with `own`. */
  readonly running?: Readonly<Record<string, string>>;
  /** Runs before the platform is considered ready, with the variables through which the CLI finds it. */
  readonly loadDemo?: (variables: NodeJS.ProcessEnv) => Promise<DemoAccess | null>;
  readonly log?: Log;
}

/** A running platform. */
export interface Platform {
  readonly run: RunFile;
  readonly infra: Infra;
  /**
   * A single service, for ending and restarting it.
   * @throws if it was not started
   */
  service(name: string): Pick<Service, 'pid' | 'kill' | 'restart'>;
  /** Ends the gateway, the other services and the servers, in this order; data is kept. */
  stop(): Promise<void>;
}

/** Starts servers and services, keeps them running, and writes `run.json` when all of them are ready. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { log = () => {} } = options;
  const home = options.home instanceof Home ? options.home : await Home.open(options.home, log);
  removeRunFile(home.path);
  const close = async (): Promise<void> => {
    if (home !== options.home) await home.close();
  };
  const stopping = new AbortController();
  let infra: Infra | undefined;
  try {
    const ports = await choosePorts(options);
    const targets = Object.fromEntries([...ports].map(([name, { admin }]) => [name, `127.0.0.1:${admin}`]));
    const starting = startInfra({ home, log, own: options.own ?? false, running: options.running ?? {} }).then(
      (started) => (infra = started),
    );
    const [ready, observation] = await Promise.all([
      starting,
      options.observe === true ? startObservation({ home, log, targets, env: process.env }) : undefined,
    ]);
    return await startOnServers({ ...options, home, log }, { infra: ready, observation, ports, close, stopping });
  } catch (error) {
    stopping.abort();
    await home.endAll();
    // Containers are not among the processes of the home.
    await infra?.stop();
    await close();
    throw error;
  }
}

interface Ground {
  readonly infra: Infra;
  readonly observation: Observation | undefined;
  readonly ports: ReadonlyMap<string, Ports>;
  readonly close: () => Promise<void>;
  /** Stops restarting servers and services. */
  readonly stopping: AbortController;
}

type Settled = PlatformOptions & { readonly home: Home; readonly log: Log };

async function startOnServers(options: Settled, { infra, observation, ports, close, stopping }: Ground): Promise<Platform> {
  const { home, log } = options;
  const settings = { ...passedOn(process.env), ...observation?.settings, ...options.env };
  const services = wanted(options).map((service) => {
    const env = { ...serviceEnvironment(service, infra, ports, settings), ...options.serviceEnv?.[service.name] };
    return new Service({ service, env, home, log });
  });
  const ready = await Promise.all(services.map(async (service) => [service.name, await service.start()] as const));
  const servers = Object.values(infra.servers).map((server) => ({ name: server.label, died: server.died, restart: server.restart }));
  for (const target of [...services, ...servers]) void keepRunning(target, log, stopping.signal);

  const cliVariables = Object.assign(
    {},
    ...Object.values(serverVariables(infra)),
    addressVariables([...ports.keys()], ports),
  ) as NodeJS.ProcessEnv;
  const demo = (await options.loadDemo?.(cliVariables)) ?? null;
  const run: RunFile = {
    ready: true,
    pid: process.pid,
    base_url: `http://127.0.0.1:${ports.get('gateway')?.serving ?? 0}/api/v2`,
    demo,
    services: Object.fromEntries(ready),
    ...(observation === undefined ? {} : { observe: observation.at }),
    infra: infraOf(infra),
  };
  writeRunFile(home.path, run);
  observation?.begin(stopping.signal);
  return {
    run,
    infra,
    service: (name) => {
      const found = services.find((service) => service.name === name);
      if (found === undefined) throw new Error(`${name} was not started`);
      return found;
    },
    stop: async () => {
      stopping.abort();
      removeRunFile(home.path);
      const [gateways, others] = [services.filter(({ name }) => name === 'gateway'), services.filter(({ name }) => name !== 'gateway')];
      for (const group of [gateways, others]) await Promise.all(group.map((service) => service.stop()));
      await infra.stop();
      // Last, since services send their last spans when they stop.
      await observation?.stop();
      await close();
    },
  };
}

function wanted(options: PlatformOptions): readonly ServiceDefinition[] {
  return topology.filter(({ name }) => options.services?.includes(name) ?? true);
}

async function choosePorts(options: PlatformOptions): Promise<ReadonlyMap<string, Ports>> {
  const chosen = wanted(options).map(async ({ name, serves }): Promise<[string, Ports]> => {
    const serving = serves === 'http' ? gatewayPort(options.port ?? 0) : freePort();
    return [name, { admin: await freePort(), serving: await serving }];
  });
  return new Map(await Promise.all(chosen));
}
