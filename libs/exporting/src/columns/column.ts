import type { EpochDay, EpochSecond } from '@stechuhr/worktime';
import type { ReferenceEntry } from '../reference.js';
import type { Row, RowDetail } from '../row.js';

/** How a column reads its cells; null is an empty cell. */
export type CellSource =
  | { readonly kind: 'text'; readonly read: (row: Row) => string | null }
  | {
      readonly kind: 'number';
      /** The value is `read` / `per`, both integers. */
      readonly read: (row: Row) => number | null;
      readonly per: (row: Row) => number;
      /** The value as printed, rounded half up to two decimals. */
      readonly rounded: (row: Row) => number;
      /** Whether the number identifies something, such as a year, and is not an amount. */
      readonly isName?: true;
    }
  | { readonly kind: 'day'; readonly read: (row: Row) => EpochDay | null }
  | { readonly kind: 'moment'; readonly read: (row: Row) => EpochSecond | null; readonly form: MomentForm };

/** Whether a local time is printed with date and seconds, or with hours and minutes only. */
export type MomentForm = 'date-time' | 'time';

/** One column that a request can choose. */
export interface Column extends Omit<ReferenceEntry, 'example' | 'filledBy'> {
  /** What the cells depend on: only the employee and the row type, or each row. */
  readonly scope: 'block' | 'row';
  readonly source: CellSource;
  /** The detail of a row that it shows; undefined for data that all rows have. */
  readonly detail?: RowDetail;
}
