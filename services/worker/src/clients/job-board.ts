import type { tasksV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { callUnary } from '@stechuhr/service';
import type { Job, JobBoard } from '../operations/ports.js';

/** Every call may be repeated; a claim whose answer was lost expires. */
const REPEATED = { idempotent: true } as const;

export function createJobBoard(client: tasksV1.ExportJobsServiceClient): JobBoard {
  return {
    async claim(taskId) {
      const { job } = await callUnary(client, client.claimJob, { taskId });
      return job && toJob(job);
    },
    async report({ taskId, attempt }, progress) {
      return (await callUnary(client, client.reportProgress, { taskId, attempt, ...progress }, REPEATED)).held;
    },
    async finish({ taskId, attempt }, { skipped, ...outcome }) {
      const request = { taskId, attempt, ...outcome, skipped: skipped.map((employee) => ({ ...employee })) };
      return (await callUnary(client, client.finishJob, request, REPEATED)).held;
    },
    async fail({ taskId, attempt }, failure) {
      await callUnary(client, client.failJob, { taskId, attempt, ...failure }, REPEATED);
    },
    async release({ taskId, attempt }, why) {
      await callUnary(client, client.releaseJob, { taskId, attempt, ...why }, REPEATED);
    },
  };
}

function toJob({ taskId, attempt, leaseMs, caller, export: spec, file }: tasksV1.ExportJob): Job {
  if (caller === undefined || spec === undefined) {
    throw new AppError('internal', 'Internal error.', { cause: new Error('The job names no caller or no export.') });
  }
  return { taskId, attempt, leaseMs, caller, exporter: spec.exporter, parameters: spec.parameters, file };
}
