import type { Logger } from '@stechuhr/service';
import type { WriteContext } from './operations/ports.js';
import { finishRemovals } from './operations/remove-records.js';

interface Maintenance {
  stop(): Promise<void>;
}

const INTERVAL_MS = 60_000;

/** Finishes what a crashed process left behind, before anything new is taken and then from time to time, and drops what has expired. */
export async function startMaintenance(context: WriteContext, logger: Logger): Promise<Maintenance> {
  const maintain = async () => {
    await finishRemovals(context);
    await context.markers.removeExpired();
  };
  await maintain();
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(maintain).catch((caught: unknown) => logger.warn({ err: caught }, 'maintenance failed'));
  }, INTERVAL_MS);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
