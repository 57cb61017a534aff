import { cutText } from '@stechuhr/kernel';
import { CellProblem } from './cells.js';
import type { Row } from './rows.js';

/** The result for a row: a record, or everything that is wrong with the row. */
export type Converted =
  | {
      readonly id: string;
      readonly record: Readonly<Record<string, unknown>>;
      /** The version of the stored record that the row was completed from; 0 if there is none, undefined if the row is complete by itself. */
      readonly ifVersion?: number | undefined;
    }
  | { readonly id: string | null; readonly problems: readonly string[] };

/** Converts rows to records, in the order of the file. */
export type Convert = (row: Row, cells: RowReader) => Converted;

/** Where a row is. */
export type RowPlace = Pick<Row, 'file' | 'line'>;

/**
 * Names the line of an earlier row.
 * @param file where the line is mentioned: another file is named, too
 */
export function lineAt(place: RowPlace, file: string): string {
  return `line ${String(place.line)}${place.file === file ? '' : ` of ${place.file}`}`;
}

/** Reads the cells of one row by the field that their column is mapped to, and collects their problems. */
export class RowReader {
  readonly problems: string[] = [];
  readonly #row: Row;
  readonly #columns: ReadonlyMap<string, Column>;

  constructor(row: Row, columns: ReadonlyMap<string, Column>) {
    this.#row = row;
    this.#columns = columns;
  }

  has(field: string): boolean {
    return this.#columns.has(field);
  }

  /** @returns the value that `read` finds in the cell; null if the cell is empty, undefined if there is no column or the cell is invalid */
  optional<T>(field: string, read: (text: string) => T): T | null | undefined {
    const column = this.#columns.get(field);
    if (column === undefined) return undefined;
    const text = this.#row.cells[column.index] ?? '';
    if (text === '') return null;
    try {
      return read(text);
    } catch (caught) {
      if (!(caught instanceof CellProblem)) throw caught;
      this.wrong(field, caught.message);
      return undefined;
    }
  }

  /** As `optional`, but an empty cell is a problem too. */
  required<T>(field: string, read: (text: string) => T): T | undefined {
    const value = this.optional(field, read);
    if (value === null) this.problems.push(`Column "${this.#columns.get(field)?.name ?? field}" is empty.`);
    return value ?? undefined;
  }

  /** Adds a problem of a cell. The text completes a sentence that begins with the column and the value. */
  wrong(field: string, what: string): void {
    const column = this.#columns.get(field);
    this.problems.push(`Column "${column?.name ?? field}": "${cutText(this.#row.cells[column?.index ?? -1] ?? '', MAX_SHOWN)}" ${what}.`);
  }
}

/** Position and header of a column. */
export interface Column {
  readonly name: string;
  readonly index: number;
}

const MAX_SHOWN = 60;
