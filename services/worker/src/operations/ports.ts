import type { commonV1 } from '@stechuhr/contracts';
import type { ExportInput, ExportSources } from '@stechuhr/export-runs';
import type { SkippedStaff } from '@stechuhr/exporting';
import type { Logger } from '@stechuhr/kernel';

/** One attempt at the job of a task. */
export interface Job extends ExportInput {
  readonly taskId: string;
  readonly attempt: number;
  /** The lease is lost if no report is sent for this time, in milliseconds. */
  readonly leaseMs: number;
  /** The account that started the task, with its visibility at that time. */
  readonly caller: commonV1.Caller;
  /** The key under which this attempt stores its file. */
  readonly file: string;
}

/** The content of a job message. */
export interface JobOfTask {
  readonly taskId: string;
  /** Absent in messages of version 0.1. */
  readonly institutionId: string | undefined;
  /** The id of the message. It says for which attempt the message was published. */
  readonly messageId: string | undefined;
}

export interface RowProgress {
  readonly rowsDone: number;
  /** 0 while it is unknown. */
  readonly rowsEstimated: number;
}

export interface Outcome {
  readonly rows: number;
  readonly sizeBytes: number;
  readonly skipped: readonly SkippedStaff[];
}

/** The tasks service for workers. Its methods throw `unavailable` if it cannot be reached. */
export interface JobBoard {
  /** Claims a job. Undefined if there is nothing to do or another worker holds the lease. */
  claim(task: JobOfTask): Promise<Job | undefined>;
  /** Reports progress. Returns false if the lease is lost or the task was deleted. */
  report(job: Job, progress: RowProgress): Promise<boolean>;
  /** Finishes the job. Returns the same as {@link report}. */
  finish(job: Job, outcome: Outcome): Promise<boolean>;
  fail(job: Job, failure: { readonly reason: string; readonly final: boolean }): Promise<void>;
  /** Deletes the task because its account was deleted. */
  abandon(job: Job): Promise<void>;
  release(job: Job, why: Release): Promise<void>;
}

/** Why a job is released. */
interface Release {
  /** Whether a dependency is unavailable. */
  readonly unavailable: boolean;
  /** Whether a service broke the connection while the job called it. */
  readonly interrupted: boolean;
}

/** The run of a job, which writes its file. */
export interface Run {
  readonly progress: RunProgress;
  readonly skipped: readonly SkippedStaff[];
  readonly contentType: string;
  /** Returns the bytes of the file, each part when it is requested. */
  write(): AsyncIterable<Uint8Array>;
}

/** The progress of a run, which changes while the file is written. */
export interface RunProgress {
  readonly rows: number;
  /** 0 while it is unknown. */
  readonly estimatedRows: number;
}

/** The file store. Its methods throw `unavailable` if it cannot be reached. */
export interface Files {
  /** Creates the bucket if it is missing. Rejects if the store cannot be used. */
  ensureBucket(): Promise<void>;
  /** @returns the size in bytes */
  putStream(key: string, chunks: AsyncIterable<Uint8Array>, contentType: string): Promise<number>;
  /** Removes a file. A missing one is ignored. */
  remove(key: string): Promise<void>;
}

export type AttemptEnd = 'finished' | 'lost' | 'released' | 'failed';

export interface Ports {
  readonly jobs: JobBoard;
  readonly files: Files;
  /** Returns whether the account exists. */
  accountExists(caller: commonV1.Caller, signal: AbortSignal): Promise<boolean>;
  sourcesOf(caller: commonV1.Caller, signal: AbortSignal): ExportSources;
  /** Returns the run of a job whose exporter is `BUNDLE_EXPORTER`. */
  bundleOf(job: Job, signal: AbortSignal): Run;
  readonly logger: Logger;
  /** Aborts when the process has to stop. */
  readonly stopping: AbortSignal;
  attemptEnded(end: AttemptEnd): void;
}
