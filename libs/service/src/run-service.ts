import { identityFromEnvironment } from './config.js';
import { holdPorts } from './held-ports.js';
import type { Logger } from './logging.js';
import { flushTelemetry } from './telemetry-handle.js';

/** A running service; `stop` performs the whole shutdown (docs/rules/services.md#shutdown) except for telemetry. */
export interface RunningService {
  /** Lets running client requests finish, before `stop`. */
  drain?(): Promise<void>;
  stop(): Promise<void>;
}

/** What {@link runService} needs to know of a configuration. */
export interface ProgramConfig {
  readonly logLevel: string;
  /** `host:port` of the gRPC server. */
  readonly grpcBind?: string;
  /** Where the server for operators listens. */
  readonly adminHost?: string;
  readonly adminPort?: number;
  /** Where an HTTP server listens. */
  readonly http?: { readonly host: string; readonly port: number };
}

/** The program that {@link runService} runs. */
export interface ServiceProgram<C extends ProgramConfig> {
  readonly logger: Logger;
  /** Reads the configuration. @throws if the environment is invalid */
  readConfig(): C;
  start(config: NoInfer<C>, logger: Logger): Promise<RunningService>;
  /**
   * Implements `main.js prepare`: creates the indexes and streams that this version needs. It accepts no work and calls no other services,
   * so that an upgrade can wait for it. Omitted if there is nothing to create.
   */
  prepare?(config: NoInfer<C>, logger: Logger): Promise<void>;
  /** Time limit of the drain, in milliseconds. */
  drainMs?(config: NoInfer<C>): number;
  /** Time limit of the stop after the drain, in milliseconds; 25,000 by default. */
  stopMs?(config: NoInfer<C>): number;
}

const HARD_STOP_MS = 25_000;
/** How long a process that has stopped may still have something open, in milliseconds. */
const LEFT_OPEN_MS = 1_000;
/** `EX_CONFIG` of sysexits.h: a restart only helps with a different environment. */
const BAD_CONFIGURATION = 78;

/**
 * Runs a process: holds its ports, starts the service, waits for SIGTERM or SIGINT, stops the service, and flushes telemetry.
 *
 * - A failure to start or stop is logged; the exit code is 1. An uncaught error ends the process at once with exit code 1.
 * - An invalid configuration ends it with exit code 78.
 * - A process that hangs is ended 25 s after the signal, or after the limits that the program sets for the drain and the stop.
 * - Started as `main.js prepare`, it only prepares, and a signal ends it at once.
 *
 * @returns resolves when everything has stopped; the process then exits by itself, at the latest after a second
 */
export async function runService<C extends ProgramConfig>(program: ServiceProgram<C>): Promise<void> {
  const { logger } = program;
  const isPreparing = process.argv[2] === 'prepare';
  const signalled = nextSignal();
  process.on('uncaughtException', (error) => {
    logger.error({ err: error }, 'uncaught error');
    process.exit(1);
  });
  const config = configOf(program);
  logger.level = config.logLevel;
  let limitMs = isPreparing ? 0 : HARD_STOP_MS;
  // Counted from the signal, even if the service is still starting.
  void signalled.then(() => hardStopAfter(limitMs, logger));
  try {
    if (isPreparing) await prepare(program, config);
    else {
      await holdPorts(addressesOf(config));
      const service = await program.start(config, logger);
      const stopMs = program.stopMs?.(config) ?? HARD_STOP_MS;
      limitMs = (program.drainMs?.(config) ?? 0) + stopMs;
      logger.info({ signal: await signalled }, 'stopping');
      await service.drain?.();
      hardStopAfter(stopMs, logger);
      await service.stop();
      logger.info({}, 'stopped');
    }
  } catch (caught) {
    logger.error({ err: caught }, 'the service failed');
    process.exitCode = 1;
    // A half-started service may hold sockets that would keep the process alive.
    hardStopAfter(1_000, logger);
  }
  await flushTelemetry();
  // What is still open has nothing to do any more, such as an attempt to connect to a server that does not answer.
  setTimeout(() => process.exit(), LEFT_OPEN_MS).unref();
}

function configOf<C extends ProgramConfig>({ readConfig, logger }: ServiceProgram<C>): C {
  try {
    return readConfig();
  } catch (caught) {
    logger.error({ err: caught }, 'the configuration is not valid');
    process.exit(BAD_CONFIGURATION);
  }
}

/** Returns where the servers of the process will listen. */
function addressesOf({ grpcBind, adminHost = '', adminPort = 0, http }: ProgramConfig): string[] {
  const ofGrpc = grpcBind === undefined ? [] : [grpcBind, identityFromEnvironment().healthBind];
  const ofHttp = http && `${http.host}:${String(http.port)}`;
  return [...ofGrpc, ofHttp, `${adminHost}:${String(adminPort)}`].filter((address) => address !== undefined);
}

async function prepare<C extends ProgramConfig>(program: ServiceProgram<C>, config: C): Promise<void> {
  await program.prepare?.(config, program.logger);
  program.logger.info({}, 'prepared');
}

function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, resolve);
  });
}

function hardStopAfter(milliseconds: number, logger: Logger): void {
  setTimeout(() => {
    logger.error({}, 'did not stop in time');
    process.exit(1);
  }, milliseconds).unref();
}
