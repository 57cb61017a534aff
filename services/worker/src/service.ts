import { startAdminServer, type Logger, type RunningService } from '@stechuhr/service';
import type { Config } from './config.js';
import { createContext } from './context.js';
import { exportJobConsumer } from './events/on-export-job.js';

export interface WorkerService extends RunningService {
  readonly adminPort: number;
}

/** How long running jobs may take after the stop signal; the hard stop comes after 25 s. */
const DRAIN_MS = 8_000;

export async function createWorkerService(config: Config, logger: Logger): Promise<WorkerService> {
  const context = await createContext(config, logger);
  const admin = await startAdminServer({ host: config.adminHost, port: config.adminPort, checks: context.checks, logger });
  const exportJobs = context.bus.consume(exportJobConsumer(context.ports, config.slots));
  admin.setReady(true);
  logger.info({ grpc: null, admin: `127.0.0.1:${String(admin.port)}` }, 'ready');
  return {
    adminPort: admin.port,
    async stop() {
      admin.setReady(false);
      const drain = setTimeout(() => context.giveBackJobs(), DRAIN_MS);
      await exportJobs.stop();
      clearTimeout(drain);
      await context.close();
      await admin.stop();
    },
  };
}
