import type { commonV1 } from '@stechuhr/contracts';
import type { ExportInput, ExportSources } from '@stechuhr/export-runs';
import type { SkippedStaff } from '@stechuhr/exporting';
import type { Logger } from '@stechuhr/kernel';

/** One attempt at the job of a task. */
export interface Job extends ExportInput {
  readonly taskId: string;
  readonly attempt: number;
  /** Silence for so long loses the lease. */
  readonly leaseMs: number;
  /** Who started the task, with what that account could see then. */
  readonly caller: commonV1.Caller;
  /** Under which this attempt stores its file. */
  readonly file: string;
}

/** What the message of a job names. */
export interface JobOfTask {
  readonly taskId: string;
  /** Absent in messages of version 0.1. */
  readonly institutionId: string | undefined;
}

export interface RowProgress {
  readonly rowsDone: number;
  /** 0 while unknown. */
  readonly rowsEstimated: number;
}

export interface Outcome {
  readonly rows: number;
  readonly sizeBytes: number;
  readonly skipped: readonly SkippedStaff[];
}

/** The tasks service as workers see it. Throws `unavailable` when it cannot be reached. */
export interface JobBoard {
  /** Undefined when there is nothing to do, or another worker does it. */
  claim(task: JobOfTask): Promise<Job | undefined>;
  /** False when the lease is lost or the task is gone. */
  report(job: Job, progress: RowProgress): Promise<boolean>;
  /** As {@link report}. */
  finish(job: Job, outcome: Outcome): Promise<boolean>;
  fail(job: Job, failure: { readonly reason: string; readonly final: boolean }): Promise<void>;
  /** Has a task deleted whose account is gone. */
  abandon(job: Job): Promise<void>;
  release(job: Job, why: { readonly unavailable: boolean }): Promise<void>;
}

/** What a job writes. */
export interface Run {
  readonly progress: RunProgress;
  readonly skipped: readonly SkippedStaff[];
  readonly contentType: string;
  /** The bytes of the file; what was not requested is not made. */
  write(): AsyncIterable<Uint8Array>;
}

/** How far a run is; it changes while the file is written. */
export interface RunProgress {
  readonly rows: number;
  /** 0 while unknown. */
  readonly estimatedRows: number;
}

/** Where files are stored. Throws `unavailable` when the store cannot be reached. */
export interface Files {
  /** Rejects when the store cannot be used. */
  ensureBucket(): Promise<void>;
  /** @returns the size in bytes */
  putStream(key: string, chunks: AsyncIterable<Uint8Array>, contentType: string): Promise<number>;
  /** There may be none. */
  remove(key: string): Promise<void>;
}

export type AttemptEnd = 'finished' | 'lost' | 'released' | 'failed';

export interface Ports {
  readonly jobs: JobBoard;
  readonly files: Files;
  /** Whether the account has not been deleted. */
  accountExists(caller: commonV1.Caller, signal: AbortSignal): Promise<boolean>;
  sourcesOf(caller: commonV1.Caller, signal: AbortSignal): ExportSources;
  /** Of a job whose exporter is that of bundles. */
  bundleOf(job: Job, signal: AbortSignal): Run;
  readonly logger: Logger;
  /** Aborts when the process has to stop. */
  readonly stopping: AbortSignal;
  attemptEnded(end: AttemptEnd): void;
}
