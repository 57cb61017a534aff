import { exportsV1 } from '@stechuhr/contracts';
import { startService, type Logger, type StartedService } from '@stechuhr/service';
import type { Config } from './config.js';
import { createContext } from './context.js';
import { listExportersRpc } from './grpc/list-exporters.js';
import { preflightRpc } from './grpc/preflight.js';
import { runExportRpc } from './grpc/run-export.js';

export async function createExportsService(config: Config, logger: Logger): Promise<StartedService> {
  const context = await createContext(config, logger);
  const implementation: exportsV1.ExportsServiceServer = {
    listExporters: listExportersRpc(),
    runExport: runExportRpc(context),
    preflight: preflightRpc(context),
  };
  const services = [{ definition: exportsV1.ExportsServiceService, implementation: { ...implementation } }];
  return startService({ config, logger, services, checks: { records: context.checkRecords }, close: () => context.close() });
}
