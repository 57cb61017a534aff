import type { tasksV1 } from '@stechuhr/contracts';
import type { YearMonth } from '@stechuhr/worktime';

/** A completed synchronous export. */
export interface ExportRun {
  readonly institutionId: string;
  readonly exporter: string;
  /** The format without its options. */
  readonly format: string;
  readonly rows: number;
  readonly skipped: number;
}

export interface ExportEvents {
  /** Publishes the event. It neither waits nor fails. */
  exportRan(run: ExportRun): void;
}

/** The task with which an asynchronous request is answered. */
export interface AnsweredTask {
  readonly task: tasksV1.ExportTask;
  /** False if the task already existed. */
  readonly started: boolean;
}

/** The reviews of the institution of one caller. */
export interface CallerReviews {
  /**
   * Counts the errors of a month that no suppression rule hides.
   *
   * @param waitMs the timeout in milliseconds, after which it fails with `unavailable`
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
  /** Finds a task of the last twelve hours; undefined if there is none. */
  find(fingerprint: string): Promise<tasksV1.ExportTask | undefined>;
  start(input: NewExport): Promise<AnsweredTask>;
}
