import { startPeriodic } from '@stechuhr/kernel';
import type { Job, Ports, RunProgress } from './ports.js';

/** The lease of an attempt, which is renewed by reporting progress. */
export interface HeldLease {
  /** Aborts when the attempt has to end: its lease is lost, its task was deleted, or the process stops. */
  readonly signal: AbortSignal;
  /**
   * Asks whether the lease is lost, unless the process stops. In this case, nothing needs to be reported any more. The last report may be too old:
   * a deletion of the task removes the parts of its upload at once, so that the upload fails before the next report.
   */
  isLost(): Promise<boolean>;
  /** Sets the progress to report from now on. */
  follow(progress: RunProgress): void;
  /** Stops reporting. */
  stop(): Promise<void>;
}

/** The report interval, after which a worker notices at the latest that its task was deleted. */
const REPORT_MS = 2_000;
const REPORTS_PER_LEASE = 3;

export function holdLease({ jobs, stopping, logger }: Pick<Ports, 'jobs' | 'stopping' | 'logger'>, job: Job): HeldLease {
  const lost = new AbortController();
  let progress: RunProgress | undefined;
  const intervalMs = Math.min(REPORT_MS, job.leaseMs / REPORTS_PER_LEASE);
  const report = async () => {
    const held = await jobs.report(job, { rowsDone: progress?.rows ?? 0, rowsEstimated: progress?.estimatedRows ?? 0 });
    if (!held) lost.abort(new Error('The lease is lost.'));
  };
  // The attempt continues while the tasks service is unavailable, since no other worker can claim the job meanwhile.
  const reporting = startPeriodic(report, {
    intervalMs,
    logger,
    failure: 'progress could not be reported',
    fields: { task_id: job.taskId },
  });
  return {
    signal: AbortSignal.any([lost.signal, stopping]),
    async isLost() {
      if (!lost.signal.aborted && !stopping.aborted) await reporting.now();
      return lost.signal.aborted;
    },
    follow: (running) => void (progress = running),
    stop: () => reporting.stop(),
  };
}
