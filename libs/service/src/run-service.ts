import type { Logger } from './logging.js';
import { flushTelemetry } from './telemetry-handle.js';

/** A service that was started; `stop` does the whole shutdown (docs/rules/services.md#shutdown) except for telemetry. */
export interface RunningService {
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
}

const HARD_STOP_MS = 25_000;

/**
 * Runs a process: starts the service, waits for SIGTERM or SIGINT, stops it, flushes telemetry. A failure to start or stop is logged and
 * ends with exit code 1, an uncaught error at once; a process that hangs is stopped 25 s after the signal. Started as `main.js prepare` it
 * only prepares, and a signal ends it at once.
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
  // Counted from the signal, also while the service is still starting.
  void signalled.then(() => hardStopAfter(isPreparing ? 0 : HARD_STOP_MS, logger));
  try {
    const config = program.readConfig();
    logger.level = config.logLevel;
    if (isPreparing) await prepare(program, config);
    else await serve(program, config, signalled);
  } catch (caught) {
    logger.error({ err: caught }, 'the service failed');
    process.exitCode = 1;
    // A half-started service may hold sockets that would keep the process alive.
    hardStopAfter(1_000, logger);
  }
  await flushTelemetry();
}

async function prepare<C extends { readonly logLevel: string }>(program: ServiceProgram<C>, config: C): Promise<void> {
  await program.prepare?.(config, program.logger);
  program.logger.info({}, 'prepared');
}

async function serve<C extends { readonly logLevel: string }>(
  { start, logger }: ServiceProgram<C>,
  config: C,
  signalled: Promise<NodeJS.Signals>,
): Promise<void> {
  const service = await start(config, logger);
  logger.info({ signal: await signalled }, 'stopping');
  await service.stop();
  logger.info({}, 'stopped');
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
