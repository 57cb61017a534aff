import type { Logger } from '@stechuhr/kernel';
import { isPreparing, whenReady } from './preparing.js';
import { flushTelemetry } from './telemetry-handle.js';

/** A service that was started; `stop` does the whole order of design.md §3, rule 8, except for telemetry. */
export interface RunningService {
  /** Where it says whether it is ready. */
  readonly adminPort?: number;
  stop(): Promise<void>;
}

const HARD_STOP_MS = 25_000;

/**
 * Runs a process: creates the service, waits for SIGTERM or SIGINT, stops it, flushes telemetry. A failure to start or stop is logged and
 * ends with exit code 1, an error that nobody caught at once; what hangs is cut off 25 s after the signal. Started as `main.js prepare` it
 * waits for no signal: it stops as soon as it has created what it needs.
 *
 * @returns when everything has stopped; the process then ends by itself
 */
export async function runService(create: () => Promise<RunningService>, logger: Logger): Promise<void> {
  const signalled = nextSignal();
  process.on('uncaughtException', (error) => {
    logger.error({ err: error }, 'uncaught error');
    process.exit(1);
  });
  // Counted from the signal, also while the service is still starting.
  void signalled.then(() => hardStopAfter(HARD_STOP_MS, logger));
  try {
    const service = await create();
    const signal = isPreparing() ? await prepared(service) : await signalled;
    logger.info({ signal }, 'stopping');
    await service.stop();
    logger.info({}, 'stopped');
  } catch (caught) {
    logger.error({ err: caught }, 'the service failed');
    process.exitCode = 1;
    // A half-started service may hold sockets that would keep the process alive.
    hardStopAfter(1_000, logger);
  }
  await flushTelemetry();
}

async function prepared({ adminPort }: RunningService): Promise<string> {
  if (adminPort !== undefined) await whenReady(adminPort);
  return 'prepared';
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
