import { exportsV1 } from '@stechuhr/contracts';
import { startService, type Logger, type StartedService } from '@stechuhr/service';
import type { Config } from './config.js';
import { createContext, type ContextOverrides } from './context.js';
import { exportHandlers } from './grpc/handlers.js';

export async function createExportsService(config: Config, logger: Logger, overrides: ContextOverrides = {}): Promise<StartedService> {
  const context = await createContext(config, logger, overrides);
  const services = [{ definition: exportsV1.ExportsServiceService, implementation: { ...exportHandlers(context) } }];
  const { drainMs } = config;
  return startService({ config, logger, services, checks: context.checks, drainMs, close: () => context.close() });
}
