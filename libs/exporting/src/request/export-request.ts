import type { DateRange } from '@stechuhr/worktime';
import type { ChosenColumn } from '../columns/choose-columns.js';
import type { ExporterName } from '../exporters.js';
import type { ChosenFilter } from '../filters/filter.js';
import type { ChosenFormat } from '../formats/format.js';
import type { RowType } from '../row-types/row-type.js';

/** The `request` object of an envelope (spec: Export request echo): the parameters as sent, parsed; null if omitted. */
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

/** The staff, period, rows and columns of a section: a whole `generic` request, or one part of `multi`. */
export interface SectionRequest {
  /** Set for parts of `multi` only. */
  readonly title: string | null;
  /** Whether it is a payroll export: staff with an accounting number only, ordered by it. */
  readonly isPayroll: boolean;
  /** Cells of an additional first row; null for none. */
  readonly firstRow: readonly string[] | null;
  readonly skipZeroRows: boolean;
  /** The exported days, both inclusive. */
  readonly period: DateRange;
  readonly types: readonly RowType[];
  readonly columns: readonly ChosenColumn[];
  readonly filters: readonly ChosenFilter[];
  /** Null means all employees. Together with groups: employees that match either list. */
  readonly employeeIds: readonly string[] | null;
  readonly employeeGroupIds: readonly string[] | null;
}

/** A validated request; created by `parseExportRequest` only. */
export interface ExportRequest {
  readonly exporter: ExporterName;
  readonly isAsync: boolean;
  /** Whether the response is the plain file instead of a JSON envelope. */
  readonly responseOnly: boolean;
  readonly format: ChosenFormat;
  /** In the order of the file; at least one. */
  readonly sections: readonly SectionRequest[];
  /** Text before the first line, decoded; '' for none. */
  readonly prefix: string;
  readonly echo: RequestEcho;
}

/** Content-Type of the response: that of the format, or JSON for an envelope. */
export function contentType({ responseOnly, format }: ExportRequest): string {
  return responseOnly ? format.contentType : 'application/json';
}

/** Name of the file, `<exporter>-<start>-<end>.<ext>`; undefined for an envelope. */
export function fileName({ responseOnly, exporter, format, echo }: ExportRequest): string | undefined {
  return responseOnly ? `${exporter}-${echo.daterange.join('-')}.${format.extension}` : undefined;
}
