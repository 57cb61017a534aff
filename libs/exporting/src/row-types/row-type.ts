import { roundRatio } from '@stechuhr/worktime';
import type { ReferenceEntry } from '../reference.js';
import type { Row, RowDetail, RowTypeInfo } from '../row.js';
import type { Timesheet } from '../timesheet.js';

/** A kind of record that a reader can leave out. */
export type RecordPart = 'contracts' | 'absences' | 'workdays' | 'timespans' | 'openingBalances' | 'vacation' | 'vacationBefore';

/** Takes the row as it is now. */
export type Emit = (row: Row) => void;

/** One kind of row: which rows an employee's timesheet gives. */
export interface RowType extends RowTypeInfo, ReferenceEntry {
  /** What it looks at. */
  readonly needs: readonly RecordPart[];
  /** What its rows say besides employee, type and value. */
  readonly details?: readonly RowDetail[];
  /** Whether its rows are written even if they are 0 and the section leaves out rows of 0. */
  readonly keepsZero?: boolean;
  /**
   * Fills the row for each of its rows in order (start or date, then id) and emits it. The row is reset: fields that a type does not set
   * are null.
   */
  write(sheet: Timesheet, row: Row, emit: Emit): void;
}

/** Sets the value of a row in hours. */
export function setSeconds(row: Row, seconds: number): void {
  row.amount = seconds;
  row.per = 3600;
  row.rounded = roundRatio(seconds, 3600, 2);
}

/** Sets the value of a row in days, which come in halves. */
export function setDays(row: Row, days: number): void {
  row.amount = days * 2;
  row.per = 2;
  row.rounded = days;
}

/** Sets the value of a row in days, which come in hundredths. */
export function setHundredthDays(row: Row, hundredths: number): void {
  row.amount = hundredths;
  row.per = 100;
  row.rounded = hundredths / 100;
}
