import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type AppErrorCode } from '@stechuhr/kernel';
import { isInterrupted } from '@stechuhr/service';
import type { AttemptEnd, Job, Outcome, Ports } from './ports.js';

const RETRY_MS = 1_000;
const NEVER_BETTER = new Set<AppErrorCode>(['invalid', 'not_found']);

/**
 * Reports the file until tasks responds: the work is done, and while tasks is unavailable no other worker can claim the job.
 *
 * @returns false if another worker has claimed the job
 */
export async function finishJob({ jobs, stopping }: Ports, job: Job, outcome: Outcome): Promise<boolean> {
  for (;;) {
    try {
      return await jobs.finish(job, outcome);
    } catch (caught) {
      if (AppError.from(caught).code !== 'unavailable' || !(await pause(RETRY_MS, stopping))) throw caught;
    }
  }
}

/** Ends an attempt without a file and reports the reason, so that the job is retried or the task ends in error. */
export async function giveUp({ jobs, stopping, logger }: Ports, job: Job, caught: unknown): Promise<AttemptEnd> {
  const error = AppError.from(caught);
  const fields = { task_id: job.taskId, attempt: job.attempt, code: error.code, err: error.cause ?? error };
  if (stopping.aborted) {
    await jobs.release(job, { unavailable: false, interrupted: false });
    return 'released';
  }
  if (error.code === 'unavailable') {
    // The job itself may have killed the service, and would do so again.
    const interrupted = isInterrupted(error);
    logger.warn(fields, interrupted ? 'a service broke the connection to a job' : 'a job waits for an unavailable dependency');
    await jobs.release(job, { unavailable: true, interrupted });
    return 'released';
  }
  logger.error(fields, 'a job failed');
  await jobs.fail(job, { reason: reasonOf(error), final: NEVER_BETTER.has(error.code) });
  return 'failed';
}

/** Returns the reason to report. It contains only names of parameters, because messages may contain names of people. */
function reasonOf({ code, details }: AppError): string {
  return details === undefined ? code : `${code}: ${Object.keys(details).join(', ')}`;
}

/** Waits. @returns false if the signal ended the wait */
async function pause(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return delay(milliseconds, true, { signal }).catch(() => false);
}
