import type { DateRange } from '@stechuhr/worktime';
import type { ChosenColumn } from '../columns/choose-columns.js';
import type { ExporterName } from '../exporters.js';
import type { ChosenFilter } from '../filters/filter.js';
import type { ChosenFormat } from '../formats/format.js';
import type { RowType } from '../row-types/row-type.js';

/** The `request` object of an envelope (spec: Export request echo): what was sent, parsed; null where it was omitted. */
export interface RequestEcho {
  readonly is_async: boolean;
  readonly skip_zero_rows: boolean;
  readonly exporter: string;
  readonly export_format: string;
  /** Start and end as `YYYY-MM-DD`. */
  readonly daterange: readonly [string, string];
  readonly employee_ids: readonly string[] | null;
  readonly types: readonly string[] | null;
  readonly columns: readonly string[] | null;
  readonly response_only: boolean;
  readonly prefix: string | null;
  readonly filter: string | null;
}

/** What a section of a file shows of whom: all of a `generic` request, one of the parts of `multi`. */
export interface SectionRequest {
  /** Only parts of `multi` have one. */
  readonly title: string | null;
  /** Whether it is a payroll export: staff ordered by accounting number, and only those who have one. */
  readonly isPayroll: boolean;
  /** Cells of a row above all others; null for none. */
  readonly firstRow: readonly string[] | null;
  readonly skipZeroRows: boolean;
  /** The days exported; both ends count. */
  readonly period: DateRange;
  readonly types: readonly RowType[];
  readonly columns: readonly ChosenColumn[];
  readonly filters: readonly ChosenFilter[];
  /** Null: all employees. Together with groups, employees that match either list. */
  readonly employeeIds: readonly string[] | null;
  readonly employeeGroupIds: readonly string[] | null;
}

/** A validated request; only `parseExportRequest` makes one. */
export interface ExportRequest {
  readonly exporter: ExporterName;
  readonly isAsync: boolean;
  /** The answer is the raw file instead of a JSON envelope. */
  readonly responseOnly: boolean;
  readonly format: ChosenFormat;
  /** In the order of the file, at least one. */
  readonly sections: readonly SectionRequest[];
  /** Text before the first line, decoded; '' for none. */
  readonly prefix: string;
  readonly echo: RequestEcho;
}

/** Content-Type of the answer: the format's own, or JSON for an envelope. */
export function contentType({ responseOnly, format }: ExportRequest): string {
  return responseOnly ? format.contentType : 'application/json';
}

/** Name of the file, `<exporter>-<start>-<end>.<ext>`; undefined for an envelope. */
export function fileName({ responseOnly, exporter, format, echo }: ExportRequest): string | undefined {
  return responseOnly ? `${exporter}-${echo.daterange.join('-')}.${format.extension}` : undefined;
}
