import { roundRatio } from '@stechuhr/worktime';
import type { ReferenceEntry } from '../reference.js';
import type { Row, RowDetail, RowTypeInfo } from '../row.js';
import type { Timesheet } from '../timesheet.js';

/** A kind of record that is only read if needed. */
export type RecordPart = 'contracts' | 'absences' | 'workdays' | 'timespans' | 'openingBalances' | 'vacation' | 'vacationBefore';

/** Receives the row in its current state; the row object is reused. */
export type Emit = (row: Row) => void;

/** A kind of row, and how its rows are derived from an employee's timesheet. */
export interface RowType extends RowTypeInfo, ReferenceEntry {
  /** The records that it needs. */
  readonly needs: readonly RecordPart[];
  /** The details of its rows, in addition to employee, type and value. */
  readonly details?: readonly RowDetail[];
  /** Whether its rows are written even if they are 0 and the section skips rows of 0. */
  readonly keepsZero?: boolean;
  /**
   * Fills and emits the row object once for each row, in order (start or date, then id). The object is new for each call: fields that a
   * type does not set are null.
   */
  write(sheet: Timesheet, row: Row, emit: Emit): void;
}

/** Whether a row is left out of the file: rows of 0 are, unless the section or their type keeps them. */
export function leavesOut({ skipZeroRows }: { readonly skipZeroRows: boolean }, { keepsZero }: RowType, { rounded }: Row): boolean {
  return skipZeroRows && keepsZero !== true && rounded === 0;
}

/** Sets the value of a row in hours. */
export function setSeconds(row: Row, seconds: number): void {
  row.amount = seconds;
  row.per = 3600;
  row.rounded = roundRatio(seconds, 3600, 2);
}

/** Sets the value of a row in days, in multiples of 0.5. */
export function setDays(row: Row, days: number): void {
  row.amount = days * 2;
  row.per = 2;
  row.rounded = days;
}

/** Sets the value of a row in days, given in hundredths. */
export function setHundredthDays(row: Row, hundredths: number): void {
  row.amount = hundredths;
  row.per = 100;
  row.rounded = hundredths / 100;
}
