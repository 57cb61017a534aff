import type { EpochDay } from '@stechuhr/worktime';
import type { ExporterName } from '../exporters.js';

/** Calendar dates; both ends count. */
export interface DayRange {
  readonly from: EpochDay;
  readonly to: EpochDay;
}

/** The `request` object of an envelope (spec: Export request echo): what was sent, parsed; null where it was omitted. */
export interface RequestEcho {
  readonly is_async: boolean;
  readonly skip_zero_rows: boolean;
  readonly exporter: string;
  readonly export_format: string;
  readonly daterange: readonly [string, string];
  readonly employee_ids: readonly string[] | null;
  readonly types: readonly string[] | null;
  readonly columns: readonly string[] | null;
  readonly response_only: boolean;
  readonly prefix: string | null;
  readonly filter: string | null;
}

/** A validated request; only `parseExportRequest` makes one. */
export interface ExportRequest {
  readonly exporter: ExporterName;
  readonly isAsync: boolean;
  /** The answer is the raw file instead of a JSON envelope. */
  readonly responseOnly: boolean;
  readonly period: DayRange;
  readonly echo: RequestEcho;
}

/** Content-Type of the answer: the format's own, or JSON for an envelope. */
export function contentType(_request: ExportRequest): string {
  return 'text/csv; charset=utf-8';
}

/** Name of the file, `<exporter>-<start>-<end>.<ext>`; undefined for an envelope. */
export function fileName(_request: ExportRequest): string | undefined {
  return undefined;
}
