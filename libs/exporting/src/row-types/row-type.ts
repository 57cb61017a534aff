import { roundRatio } from '@stechuhr/worktime';
import type { ReferenceEntry } from '../reference.js';
import type { Row, RowDetail, RowTypeInfo } from '../row.js';
import type { Timesheet } from '../timesheet.js';

/** A kind of record that need not be read. */
export type RecordPart = 'contracts' | 'absences' | 'workdays' | 'timespans' | 'openingBalances' | 'vacation' | 'vacationBefore';

/** Receives the row in its current state. */
export type Emit = (row: Row) => void;

/** A kind of row, which creates rows from an employee's timesheet. */
export interface RowType extends RowTypeInfo, ReferenceEntry {
  /** The records that it needs. */
  readonly needs: readonly RecordPart[];
  /** The details of its rows besides employee, type and value. */
  readonly details?: readonly RowDetail[];
  /** Whether its rows are written even if they are 0 and the section leaves out rows of 0. */
  readonly keepsZero?: boolean;
  /**
   * Fills the row for each of its rows in order (start or date, then id) and emits it. The row was reset: fields that a type does not set are null.
   */
  write(sheet: Timesheet, row: Row, emit: Emit): void;
}

/** Sets the value of a row in hours. */
export function setSeconds(row: Row, seconds: number): void {
  row.amount = seconds;
  row.per = 3600;
  row.rounded = roundRatio(seconds, 3600, 2);
}

/** Sets the value of a row in half days. */
export function setDays(row: Row, days: number): void {
  row.amount = days * 2;
  row.per = 2;
  row.rounded = days;
}

/** Sets the value of a row in hundredths of days. */
export function setHundredthDays(row: Row, hundredths: number): void {
  row.amount = hundredths;
  row.per = 100;
  row.rounded = hundredths / 100;
}
