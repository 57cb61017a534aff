import { AppError, type AppErrorCode } from '@stechuhr/kernel';
import type { AttemptEnd, Job, Ports } from './ports.js';

const NEVER_BETTER = new Set<AppErrorCode>(['invalid', 'not_found', 'unimplemented']);

/** Ends an attempt without a file and reports why, so that the job is retried or the task ends in error. */
export async function giveUp({ jobs, stopping, logger }: Ports, job: Job, caught: unknown): Promise<AttemptEnd> {
  const error = AppError.from(caught);
  const fields = { task_id: job.taskId, attempt: job.attempt, code: error.code, err: error.cause ?? error };
  if (stopping.aborted) {
    await jobs.release(job, { away: false });
    return 'released';
  }
  if (error.code === 'unavailable') {
    logger.warn(fields, 'a job waits for an unavailable dependency');
    await jobs.release(job, { away: true });
    return 'released';
  }
  logger.error(fields, 'a job failed');
  await jobs.fail(job, { reason: reasonOf(error), final: NEVER_BETTER.has(error.code) });
  return 'failed';
}

/** Names of parameters at most: messages may quote names of people. */
function reasonOf({ code, details }: AppError): string {
  return details === undefined ? code : `${code}: ${Object.keys(details).join(', ')}`;
}
