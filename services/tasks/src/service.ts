import { tasksV1 } from '@stechuhr/contracts';
import type { Clock } from '@stechuhr/kernel';
import { startService, type Logger, type StartedService } from '@stechuhr/service';
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

export async function createTasksService(config: Config, logger: Logger, overrides: Overrides = {}): Promise<StartedService> {
  const context = await createContext(config, logger, overrides.clock);
  const services = [
    { definition: tasksV1.TasksServiceService, implementation: { ...forOwners(context.ports) } },
    { definition: tasksV1.ExportJobsServiceService, implementation: { ...forWorkers(context.ports) } },
  ];
  return startService({ config, logger, services, checks: context.checks, close: () => context.close() });
}
