import { startPeriodic } from '@stechuhr/kernel';
import type { Job, Ports, RunProgress } from './ports.js';

/** The lease of an attempt, held by reporting how far it is. */
export interface HeldLease {
  /** Aborts when the attempt has to end: its lease is lost, its task is gone, or the process stops. */
  readonly signal: AbortSignal;
  /** Whether it was lost; then nothing has to be reported any more. */
  isLost(): boolean;
  /** From now on this is reported. */
  follow(progress: RunProgress): void;
  /** Reports no more. */
  stop(): Promise<void>;
}

/** How soon a worker learns that its task was deleted. */
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
  // No other worker can claim the job while tasks is unavailable: the attempt continues.
  const reporting = startPeriodic(report, {
    intervalMs,
    logger,
    failure: 'progress could not be reported',
    fields: { task_id: job.taskId },
  });
  return {
    signal: AbortSignal.any([lost.signal, stopping]),
    isLost: () => lost.signal.aborted,
    follow: (running) => void (progress = running),
    stop: () => reporting.stop(),
  };
}
