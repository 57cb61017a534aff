import type { Logger } from '@stechuhr/service';

interface Maintenance {
  stop(): Promise<void>;
}

const INTERVAL_MS = 60_000;

/** Periodically removes what has expired and completes what was interrupted. */
export function startMaintenance(maintain: () => Promise<void>, logger: Logger): Maintenance {
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
