import type { tasksV1 } from '@stechuhr/contracts';
import type { YearMonth } from '@stechuhr/worktime';

/** A synchronous export whose response was sent completely. */
export interface ExportRun {
  readonly institutionId: string;
  readonly exporter: string;
  /** Without its options. */
  readonly format: string;
  readonly rows: number;
  readonly skipped: number;
}

export interface ExportEvents {
  /** Publishes the event of a run; does not block, and never fails. */
  exportRan(run: ExportRun): void;
}

/** The task that is returned for an asynchronous request. */
export interface AnsweredTask {
  readonly task: tasksV1.ExportTask;
  /** False if it existed already. */
  readonly started: boolean;
}

/** The reviews of one caller's institution. */
export interface CallerReviews {
  /**
   * Counts the errors of a month that no suppression rule hides.
   * @param waitMs after which it fails with `unavailable`
   */
  countOpenErrors(month: YearMonth, waitMs: number): Promise<number>;
}

export interface NewExport {
  readonly fingerprint: string;
  readonly export: tasksV1.ExportSpec;
  readonly label: string;
  readonly skipped: number;
}

/** The tasks of one caller. */
export interface CallerTasks {
  /** From the last twelve hours; undefined if there is none. */
  find(fingerprint: string): Promise<tasksV1.ExportTask | undefined>;
  start(input: NewExport): Promise<AnsweredTask>;
}
