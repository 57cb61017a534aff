import type { ExportDirectory, NeededParts, StaffMember, StaffRecords } from '@stechuhr/exporting';

/** The records as one caller may see them; every call ends when that caller leaves. */
export interface CallerRecords {
  /** Projects are left empty unless asked for. */
  readDirectory(needs: { readonly projects: boolean }): Promise<ExportDirectory>;
  /** In the order of the staff. */
  readTimeRecords(staff: readonly StaffMember[], parts: NeededParts): AsyncIterable<StaffRecords>;
}

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
