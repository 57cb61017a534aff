/** A synchronous export that was answered completely. */
export interface ExportRun {
  readonly institutionId: string;
  readonly exporter: string;
  /** Without its options. */
  readonly format: string;
  readonly rows: number;
  readonly skipped: number;
}

export interface ExportEvents {
  /** Says so to whoever listens; never waits and never fails. */
  exportRan(run: ExportRun): void;
}
