import type { Logger } from './logging.js';
import { flushTelemetry } from './telemetry-handle.js';

/** A service that was started; `stop` does the whole shutdown (docs/rules/services.md#shutdown) except for telemetry. */
export interface RunningService {
  /** Lets what runs for clients come to its end, before `stop`. */
  drain?(): Promise<void>;
  stop(): Promise<void>;
}

/** What {@link runService} needs. */
export interface ServiceProgram<C extends { readonly logLevel: string }> {
  readonly logger: Logger;
  /** @throws what is wrong with the environment */
  readConfig(): C;
  start(config: NoInfer<C>, logger: Logger): Promise<RunningService>;
  /**
   * What `main.js prepare` does instead: creates the indexes and streams that this version needs, and neither takes work nor asks other
   * services, so that an upgrade may wait for it. A service without one has nothing to create.
   */
  prepare?(config: NoInfer<C>, logger: Logger): Promise<void>;
  /** Milliseconds that the drain may take. */
  drainMs?(config: NoInfer<C>): number;
  /** Milliseconds that it may take to stop, after the drain; 25,000 by default. */
  stopMs?(config: NoInfer<C>): number;
}

const HARD_STOP_MS = 25_000;
/** `EX_CONFIG` of sysexits.h: starting it again helps only with another environment. */
const BAD_CONFIGURATION = 78;

/**
 * Runs a process: starts the service, waits for SIGTERM or SIGINT, stops it, flushes telemetry. A failure to start or stop is logged and
 * ends with exit code 1, an uncaught error at once, bad configuration with 78; a process that hangs is ended 25 s after the signal, or after
 * the times that the program names for its drain and for what follows. Started as `main.js prepare` it only prepares, and a signal ends it at once.
 *
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
  // Counted from the signal, also while the service is still starting.
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
