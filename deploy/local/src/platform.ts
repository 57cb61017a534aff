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
  /** Port of the gateway; 0 means any free port. */
  readonly port?: number;
  /** Settings for all services, in addition to the documented ones of this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Settings for single services, by service name; they take precedence. */
  readonly serviceEnv?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Names of services to start; all by default. */
  readonly services?: readonly string[];
  /** Whether traces, metrics and dashboards are started too. */
  readonly observe?: boolean;
  /** Whether servers named in the environment are ignored. */
  readonly own?: boolean;
  /** Addresses of running servers by variable, such as `MONGODB_URL`. They are used even with `own`. */
  readonly running?: Readonly<Record<string, string>>;
  /** Runs before the platform is reported as ready. The variables tell the CLI where the platform is. */
  readonly loadDemo?: (variables: NodeJS.ProcessEnv) => Promise<DemoAccess | null>;
  readonly log?: Log;
}

/** A running platform. */
export interface Platform {
  readonly run: RunFile;
  readonly infra: Infra;
  /** Returns a service, to end and restart it. @throws Error if the service was not started */
  service(name: string): Pick<Service, 'pid' | 'kill' | 'restart'>;
  /** Stops the gateway, then the other services, then the servers. Data is kept. */
  stop(): Promise<void>;
}

/** Starts servers and services, keeps them running, and writes `run.json` when all are ready. */
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
    // Containers are not among the processes that the home has recorded.
    await infra?.stop();
    await close();
    throw error;
  }
}

interface StartContext {
  readonly infra: Infra;
  readonly observation: Observation | undefined;
  readonly ports: ReadonlyMap<string, Ports>;
  readonly close: () => Promise<void>;
  /** Aborted when the platform stops, so that servers and services are not restarted. */
  readonly stopping: AbortController;
}

type ResolvedOptions = PlatformOptions & { readonly home: Home; readonly log: Log };

async function startOnServers(options: ResolvedOptions, { infra, observation, ports, close, stopping }: StartContext): Promise<Platform> {
  const { home, log } = options;
  const settings = { ...passedOn(process.env), ...observation?.settings, ...options.env };
  const services = wantedServices(options).map((service) => {
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
      // The observation stops last, because services send their last spans while they stop.
      await observation?.stop();
      // A server that was just starting again is not known to `infra` yet.
      await home.endAll();
      await close();
    },
  };
}

function wantedServices(options: PlatformOptions): readonly ServiceDefinition[] {
  return topology.filter(({ name }) => options.services?.includes(name) ?? true);
}

async function choosePorts(options: PlatformOptions): Promise<ReadonlyMap<string, Ports>> {
  const chosen = wantedServices(options).map(async ({ name, serves }): Promise<[string, Ports]> => {
    const serving = serves === 'http' ? gatewayPort(options.port ?? 0) : freePort();
    return [name, { admin: await freePort(), serving: await serving }];
  });
  return new Map(await Promise.all(chosen));
}
