import type { Logger } from '@stechuhr/service';
import type { WriteContext } from './operations/ports.js';
import { finishRemovals } from './operations/remove-records.js';

interface Maintenance {
  stop(): Promise<void>;
}

const INTERVAL_MS = 60_000;

/** Completes what a crashed process left unfinished, and removes what has expired. */
export async function maintain(context: WriteContext): Promise<void> {
  await finishRemovals(context);
  await context.markers.removeExpired();
}

/** Maintains from time to time. */
export function startMaintenance(context: WriteContext, logger: Logger): Maintenance {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => maintain(context)).catch((caught: unknown) => logger.warn({ err: caught }, 'maintenance failed'));
  }, INTERVAL_MS);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
