import type { EpochDay, EpochSecond } from '@stechuhr/worktime';
import type { ReferenceEntry } from '../reference.js';
import type { Row, RowDetail } from '../row.js';

/** The source of a column's cells; null is an empty cell. */
export type CellSource =
  | { readonly kind: 'text'; readonly read: (row: Row) => string | null }
  | {
      readonly kind: 'number';
      /** The value is `read` / `per`, both integers. */
      readonly read: (row: Row) => number | null;
      readonly per: (row: Row) => number;
      /** The value as printed, rounded half up to two decimals. */
      readonly rounded: (row: Row) => number;
      /** Whether it is an identifier such as a year, rather than an amount. */
      readonly isName?: true;
    }
  | { readonly kind: 'day'; readonly read: (row: Row) => EpochDay | null }
  | { readonly kind: 'moment'; readonly read: (row: Row) => EpochSecond | null; readonly form: MomentForm };

/** Whether a local time shows its date and seconds, or hours and minutes only. */
export type MomentForm = 'date-time' | 'time';

/** One column that a request can choose. */
export interface Column extends Omit<ReferenceEntry, 'example' | 'filledBy'> {
  /** Whether the cells depend only on the employee and the row type, or on each row. */
  readonly scope: 'block' | 'row';
  readonly source: CellSource;
  /** The detail of a row that it shows; undefined for what all rows have. */
  readonly detail?: RowDetail;
}
