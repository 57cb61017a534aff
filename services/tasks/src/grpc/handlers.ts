import { incompleteCall, requireCounts, requirePage, type tasksV1 } from '@stechuhr/contracts';
import { serverStream, unary } from '@stechuhr/service';
import { deleteTask } from '../operations/delete-task.js';
import { claimJob, failJob, finishJob, releaseJob, reportProgress } from '../operations/job-attempts.js';
import type { Context } from '../context.js';
import type { Ports } from '../operations/ports.js';
import { getTask, listTasks, targetOf } from '../operations/read-tasks.js';
import { findExport, startExport } from '../operations/start-export.js';
import { toOwner, toTaskId, toVisibility } from './from-proto.js';
import { exportJobToProto, exportTaskToProto, taskToProto } from './to-proto.js';

/** Returns the handlers for accounts that start exports and read their tasks. */
export function ownerHandlers({ ports, inTurn }: Pick<Context, 'ports' | 'inTurn'>): tasksV1.TasksServiceServer {
  return {
    findExport: unary(async ({ caller, fingerprint }) => {
      const task = await findExport(ports, toOwner(caller), fingerprint);
      return { task: task && exportTaskToProto(task, targetOf(ports, task)) };
    }),
    startExport: unary(async ({ caller, fingerprint, export: spec, label, skipped }) => {
      if (spec === undefined || fingerprint === '') throw incompleteCall('The call names no export.');
      const input = { visibility: toVisibility(caller), fingerprint, spec, label, skippedAtStart: skipped };
      const { task, started } = await startExport(ports, toOwner(caller), input);
      return { task: exportTaskToProto(task, targetOf(ports, task)), started };
    }),
    listTasks: serverStream(({ caller, ...input }, rpc) => {
      const owner = toOwner(caller);
      const query = requirePage(input);
      return inTurn.stream({ ...rpc, institutionId: owner.institutionId }, async function* () {
        const { count, tasks } = await listTasks(ports, owner, query);
        yield { part: { $case: 'count', value: count } } as const;
        for await (const task of tasks) yield { part: { $case: 'task', value: taskToProto(task, toVisibility(caller)) } } as const;
      });
    }),
    getTask: unary(async ({ caller, taskId }) => {
      return { task: taskToProto(await getTask(ports, toOwner(caller), toTaskId(taskId)), toVisibility(caller)) };
    }),
    deleteTask: unary(async ({ caller, taskId }) => {
      await deleteTask(ports, toOwner(caller), toTaskId(taskId));
      return {};
    }),
  };
}

/** Returns the handlers for workers. Their calls have no caller. */
export function workerHandlers(ports: Ports): tasksV1.ExportJobsServiceServer {
  return {
    claimJob: unary(async (request) => {
      const task = await claimJob(ports, request);
      return { job: task && exportJobToProto(task, ports.leaseMs) };
    }),
    reportProgress: unary(async (request: tasksV1.ReportProgressRequest) => {
      requireCounts({ rows_done: request.rowsDone, rows_estimated: request.rowsEstimated });
      return { held: await reportProgress(ports, request) };
    }),
    finishJob: unary(async (request: tasksV1.FinishJobRequest) => {
      requireCounts({ rows: request.rows, size_bytes: request.sizeBytes });
      return { held: await finishJob(ports, request) };
    }),
    failJob: unary(async (request) => {
      await failJob(ports, request);
      return {};
    }),
    releaseJob: unary(async (request) => {
      await releaseJob(ports, request);
      return {};
    }),
  };
}
