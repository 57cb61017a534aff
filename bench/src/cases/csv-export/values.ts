import type { EmployeeFacts } from '../../platform/employees.js';
import type { StoredMonths } from '../../platform/stored-months.js';

/** What the variants that go to the database themselves are told. */
export interface CsvExportValues {
  readonly stored: StoredMonths;
  readonly from: string;
  readonly to: string;
  /** In the order of the file. */
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
