import { tasksV1 } from '@stechuhr/contracts';
import type { Clock } from '@stechuhr/kernel';
import { startAdminServer, startGrpcServer, type Logger, type RunningService } from '@stechuhr/service';
import type { Config } from './config.js';
import { createContext } from './context.js';
import { claimJobRpc } from './grpc/claim-job.js';
import { deleteTaskRpc } from './grpc/delete-task.js';
import { failJobRpc } from './grpc/fail-job.js';
import { findExportRpc } from './grpc/find-export.js';
import { finishJobRpc } from './grpc/finish-job.js';
import { getTaskRpc } from './grpc/get-task.js';
import { listTasksRpc } from './grpc/list-tasks.js';
import { releaseJobRpc } from './grpc/release-job.js';
import { reportProgressRpc } from './grpc/report-progress.js';
import { startExportRpc } from './grpc/start-export.js';
import type { Ports } from './operations/ports.js';

export interface TasksService extends RunningService {
  readonly grpcPort: number;
  readonly adminPort: number;
}

interface Overrides {
  readonly clock?: Clock;
}

function forOwners(ports: Ports): tasksV1.TasksServiceServer {
  return {
    findExport: findExportRpc(ports),
    startExport: startExportRpc(ports),
    listTasks: listTasksRpc(ports),
    getTask: getTaskRpc(ports),
    deleteTask: deleteTaskRpc(ports),
  };
}

function forWorkers(ports: Ports): tasksV1.ExportJobsServiceServer {
  return {
    claimJob: claimJobRpc(ports),
    reportProgress: reportProgressRpc(ports),
    finishJob: finishJobRpc(ports),
    failJob: failJobRpc(ports),
    releaseJob: releaseJobRpc(ports),
  };
}

export async function createTasksService(config: Config, logger: Logger, overrides: Overrides = {}): Promise<TasksService> {
  const context = await createContext(config, logger, overrides.clock);
  const services = [
    { definition: tasksV1.TasksServiceService, implementation: { ...forOwners(context.ports) } },
    { definition: tasksV1.ExportJobsServiceService, implementation: { ...forWorkers(context.ports) } },
  ];
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
