import type { commonV1 } from '@stechuhr/contracts';
import type { ExportInput, ExportSources } from '@stechuhr/export-runs';
import type { SkippedStaff } from '@stechuhr/exporting';
import type { Logger } from '@stechuhr/kernel';

/** One attempt at the job of a task. */
export interface Job extends ExportInput {
  readonly taskId: string;
  readonly attempt: number;
  /** Without a report for this long, the lease is lost. */
  readonly leaseMs: number;
  /** The account that started the task, with what it was allowed to see then. */
  readonly caller: commonV1.Caller;
  /** The key under which this attempt stores its file. */
  readonly file: string;
}

/** The contents of a job message. */
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

/** The tasks service as workers use it. Throws `unavailable` if it cannot be reached. */
export interface JobBoard {
  /** Undefined if there is nothing to do, or another worker has the job. */
  claim(task: JobOfTask): Promise<Job | undefined>;
  /** False if the lease is lost or the task was deleted. */
  report(job: Job, progress: RowProgress): Promise<boolean>;
  /** As {@link report}. */
  finish(job: Job, outcome: Outcome): Promise<boolean>;
  fail(job: Job, failure: { readonly reason: string; readonly final: boolean }): Promise<void>;
  /** Deletes a task whose account was deleted. */
  abandon(job: Job): Promise<void>;
  release(job: Job, why: { readonly unavailable: boolean }): Promise<void>;
}

/** The work of a job. */
export interface Run {
  readonly progress: RunProgress;
  readonly skipped: readonly SkippedStaff[];
  readonly contentType: string;
  /** The bytes of the file, generated on demand. */
  write(): AsyncIterable<Uint8Array>;
}

/** The progress of a run; changes while the file is written. */
export interface RunProgress {
  readonly rows: number;
  /** 0 while unknown. */
  readonly estimatedRows: number;
}

/** The object store for files. Throws `unavailable` if it cannot be reached. */
export interface Files {
  /** Rejects if the store cannot be used. */
  ensureBucket(): Promise<void>;
  /** @returns the size in bytes */
  putStream(key: string, chunks: AsyncIterable<Uint8Array>, contentType: string): Promise<number>;
  /** Removes a file, if it exists. */
  remove(key: string): Promise<void>;
}

export type AttemptEnd = 'finished' | 'lost' | 'released' | 'failed';

export interface Ports {
  readonly jobs: JobBoard;
  readonly files: Files;
  /** Whether the account still exists. */
  accountExists(caller: commonV1.Caller, signal: AbortSignal): Promise<boolean>;
  sourcesOf(caller: commonV1.Caller, signal: AbortSignal): ExportSources;
  /** For a job whose exporter is that of bundles. */
  bundleOf(job: Job, signal: AbortSignal): Run;
  readonly logger: Logger;
  /** Aborts when the process has to stop. */
  readonly stopping: AbortSignal;
  attemptEnded(end: AttemptEnd): void;
}
