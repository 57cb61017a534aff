import { exportsV1 } from '@stechuhr/contracts';
import { startAdminServer, startGrpcServer, type Logger, type RunningService } from '@stechuhr/service';
import type { Config } from './config.js';
import { createContext } from './context.js';
import { listExportersRpc } from './grpc/list-exporters.js';
import { preflightRpc } from './grpc/preflight.js';
import { runExportRpc } from './grpc/run-export.js';

export interface ExportsService extends RunningService {
  /** Of gRPC. */
  readonly port: number;
  readonly adminPort: number;
}

export async function createExportsService(config: Config, logger: Logger): Promise<ExportsService> {
  const context = await createContext(config, logger);
  const implementation: exportsV1.ExportsServiceServer = {
    listExporters: listExportersRpc(),
    runExport: runExportRpc(context),
    preflight: preflightRpc(context),
  };
  const services = [{ definition: exportsV1.ExportsServiceService, implementation: { ...implementation } }];
  const grpc = await startGrpcServer({ bind: config.grpcBind, services, logger });
  const admin = await startAdminServer({ port: config.adminPort, checks: { records: context.checkRecords }, logger });
  grpc.setServing(true);
  admin.setReady(true);
  logger.info({ grpc: `${hostOf(config.grpcBind)}:${grpc.port}`, admin: `127.0.0.1:${admin.port}` }, 'ready');
  return {
    port: grpc.port,
    adminPort: admin.port,
    async stop() {
      admin.setReady(false);
      await grpc.stop();
      await context.close();
      await admin.stop();
    },
  };
}

function hostOf(bind: string): string {
  return bind.slice(0, bind.lastIndexOf(':'));
}
