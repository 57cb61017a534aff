import type { DateRange } from '@stechuhr/worktime';
import type { ChosenColumn } from '../columns/choose-columns.js';
import type { ExporterName } from '../exporters.js';
import type { ChosenFilter } from '../filters/filter.js';
import type { ChosenFormat } from '../formats/format.js';
import type { RowType } from '../row-types/row-type.js';

/** The `request` object of an envelope (spec: Export request echo): the parsed parameters; null if omitted. */
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

/** The content of a section of a file: the whole of a `generic` request, or one part of `multi`. */
export interface SectionRequest {
  /** Only set for parts of `multi`. */
  readonly title: string | null;
  /** Whether it is a payroll export: staff is ordered by accounting number, and employees without one are left out. */
  readonly isPayroll: boolean;
  /** Cells of the first row; null for none. */
  readonly firstRow: readonly string[] | null;
  readonly skipZeroRows: boolean;
  /** The exported days, inclusive. */
  readonly period: DateRange;
  readonly types: readonly RowType[];
  readonly columns: readonly ChosenColumn[];
  readonly filters: readonly ChosenFilter[];
  /** Null selects all employees. Combined with groups, employees who match either list are selected. */
  readonly employeeIds: ReadonlySet<string> | null;
  readonly employeeGroupIds: ReadonlySet<string> | null;
}

/** A validated request; only created by `parseExportRequest`. */
export interface ExportRequest {
  readonly exporter: ExporterName;
  readonly isAsync: boolean;
  /** Whether the response is the raw file instead of a JSON envelope. */
  readonly responseOnly: boolean;
  readonly format: ChosenFormat;
  /** In the order of the file; at least one. */
  readonly sections: readonly SectionRequest[];
  /** Text before the first line, decoded; '' for none. */
  readonly prefix: string;
  readonly echo: RequestEcho;
}

/** Returns the Content-Type of the response: that of the format, or JSON for an envelope. */
export function contentType({ responseOnly, format }: ExportRequest): string {
  return responseOnly ? format.contentType : 'application/json';
}

/** Returns the name of the file, `<exporter>-<start>-<end>.<ext>`; undefined for an envelope. */
export function fileName({ responseOnly, exporter, format, echo }: ExportRequest): string | undefined {
  return responseOnly ? `${exporter}-${echo.daterange.join('-')}.${format.extension}` : undefined;
}
