import { dailyReportsV1 } from '@stechuhr/contracts';
import { startAdminServer, startGrpcServer, type Logger, type RunningService } from '@stechuhr/service';
import type { Config } from './config.js';
import { createContext, type Context } from './context.js';
import { issueUploadTokenRpc } from './grpc/issue-upload-token.js';
import { listFieldTypesRpc } from './grpc/list-field-types.js';

export interface DailyReportsService extends RunningService {
  readonly grpcPort: number;
  readonly adminPort: number;
}

function implementationOf(context: Context): Pick<dailyReportsV1.DailyReportsServiceServer, 'listFieldTypes' | 'issueUploadToken'> {
  return {
    listFieldTypes: listFieldTypesRpc(),
    issueUploadToken: issueUploadTokenRpc(context),
  };
}

export async function createDailyReportsService(config: Config, logger: Logger): Promise<DailyReportsService> {
  const context = await createContext(config, logger);
  const services = [{ definition: dailyReportsV1.DailyReportsServiceService, implementation: { ...implementationOf(context) } }];
  const grpc = await startGrpcServer({ bind: config.grpcBind, services, logger });
  const admin = await startAdminServer({ port: config.adminPort, checks: context.checks, logger });
  grpc.setServing(true);
  admin.setReady(true);
  logger.info({ grpc: `${hostOf(config.grpcBind)}:${String(grpc.port)}`, admin: `127.0.0.1:${String(admin.port)}` }, 'ready');
  return {
    grpcPort: grpc.port,
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
