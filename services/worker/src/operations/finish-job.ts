import { AppError } from '@stechuhr/kernel';
import { pause } from './hold-lease.js';
import type { Job, Outcome, Ports } from './ports.js';

const RETRY_MS = 1_000;

/**
 * Reports the file until tasks has answered: the work is done, and while tasks is unavailable no other worker can claim the job.
 *
 * @returns false when another worker has the job by now
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
