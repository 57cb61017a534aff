import type { tasksV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { callUnary } from '@stechuhr/service';
import type { Job, JobBoard } from '../operations/ports.js';

/** These calls can be repeated. A claim is not, but a claim whose response was lost expires. */
const REPEATED = { idempotent: true } as const;

export function createJobBoard(client: tasksV1.ExportJobsServiceClient): JobBoard {
  return {
    async claim(task) {
      const { job } = await callUnary(client, client.claimJob, { ...task });
      return job && toJob(job);
    },
    async report(job, progress) {
      return (await callUnary(client, client.reportProgress, { ...attemptOf(job), ...progress }, REPEATED)).held;
    },
    async finish(job, { skipped, ...outcome }) {
      const request = { ...attemptOf(job), ...outcome, skipped: skipped.map((employee) => ({ ...employee })) };
      return (await callUnary(client, client.finishJob, request, REPEATED)).held;
    },
    async fail(job, failure) {
      await callUnary(client, client.failJob, { ...attemptOf(job), ...failure }, REPEATED);
    },
    async abandon(job) {
      const failure = { reason: 'The account is gone.', final: true, ownerDeleted: true };
      await callUnary(client, client.failJob, { ...attemptOf(job), ...failure }, REPEATED);
    },
    async release(job, why) {
      await callUnary(client, client.releaseJob, { ...attemptOf(job), ...why }, REPEATED);
    },
  };
}

function attemptOf({ taskId, attempt, caller: { institutionId } }: Job) {
  return { taskId, attempt, institutionId };
}

function toJob({ taskId, attempt, leaseMs, caller, export: spec, file }: tasksV1.ExportJob): Job {
  if (caller === undefined || spec === undefined) {
    throw new AppError('internal', 'Internal error.', { cause: new Error('The job names no caller or no export.') });
  }
  return { taskId, attempt, leaseMs, caller, exporter: spec.exporter, parameters: spec.parameters, file };
}
