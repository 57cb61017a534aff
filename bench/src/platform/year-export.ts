import type { EmployeeFacts } from './employees.js';
import type { StoredMonths } from './stored-months.js';

/** The input of variants that read the database directly. */
export interface YearExportValues {
  readonly stored: StoredMonths;
  readonly from: string;
  readonly to: string;
  /** In the order of the exported file. */
  readonly employees: readonly EmployeeFacts[];
}

export const COLUMNS = [
  'employee-number',
  'last-name',
  'first-name',
  'department',
  'cost-center',
  'date',
  'weekday',
  'week',
  'year',
  'type',
  'unit',
  'value',
] as const;

export const YEAR = { from: '2025-01-01', to: '2025-12-31' };

/** Returns the parameters of an export of every calendar day of the year. */
export function dailyExport(export_format: string): Readonly<Record<string, string>> {
  const rows = { types: 'daily:hours', columns: COLUMNS.join('|'), skip_zero_rows: 'false' };
  return { daterange: `${YEAR.from}|${YEAR.to}`, ...rows, export_format, response_only: 'true' };
}
