import type { Logger } from './logging.js';
import { flushTelemetry } from './telemetry-handle.js';

/** A started service; `stop` does the whole shutdown (docs/rules/services.md#shutdown) except for telemetry. */
export interface RunningService {
  /** Lets client work come to its end, before `stop`. */
  drain?(): Promise<void>;
  stop(): Promise<void>;
}

/** What {@link runService} needs. */
export interface ServiceProgram<C extends { readonly logLevel: string }> {
  readonly logger: Logger;
  /** @throws an error with the problems of the environment */
  readConfig(): C;
  start(config: NoInfer<C>, logger: Logger): Promise<RunningService>;
  /**
   * Runs instead for `main.js prepare`: creates the indexes and streams that this version needs, without accepting work or calling other services, so
   * that an upgrade can wait for it. Services without it have nothing to create.
   */
  prepare?(config: NoInfer<C>, logger: Logger): Promise<void>;
  /** How many milliseconds the drain may take. */
  drainMs?(config: NoInfer<C>): number;
  /** How many milliseconds stopping may take after the drain; 25,000 by default. */
  stopMs?(config: NoInfer<C>): number;
}

const HARD_STOP_MS = 25_000;
/** `EX_CONFIG` of sysexits.h: a restart helps only with another environment. */
const BAD_CONFIGURATION = 78;

/**
 * Runs a process: starts the service, waits for SIGTERM or SIGINT, stops it, flushes telemetry. Errors while starting or stopping are logged and lead
 * to exit code 1, an uncaught error at once, invalid configuration to 78. A process that hangs is killed 25 s after the signal, or after the times
 * that the program defines for draining and stopping. With the argument `prepare`, it only prepares, and a signal ends it at once.
 * @returns when everything has stopped; the process then ends by itself
 */
export async function runService<C extends { readonly logLevel: string }>(program: ServiceProgram<C>): Promise<void> {
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
  // Counted from the signal, even while the service is still starting.
  void signalled.then(() => hardStopAfter(limitMs, logger));
  try {
    if (isPreparing) await prepare(program, config);
    else {
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
}

function configOf<C extends { readonly logLevel: string }>({ readConfig, logger }: ServiceProgram<C>): C {
  try {
    return readConfig();
  } catch (caught) {
    logger.error({ err: caught }, 'the configuration is not valid');
    process.exit(BAD_CONFIGURATION);
  }
}

async function prepare<C extends { readonly logLevel: string }>(program: ServiceProgram<C>, config: C): Promise<void> {
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
