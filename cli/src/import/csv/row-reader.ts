import { CellProblem } from './cells.js';
import type { Named } from './directory.js';
import type { Row } from './rows.js';

/** What becomes of a row: the record that it is, or everything that is wrong with it. */
export type Converted =
  | { readonly id: string; readonly record: Readonly<Record<string, unknown>> }
  | { readonly id: string | null; readonly problems: readonly string[] };

/** Makes records of rows, one after the other. */
export type Convert = (row: Row, cells: RowReader) => Converted;

/** The cells of one row by the field of their column; collects what is wrong with them. */
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

  /** What `read` makes of the cell; null where it is empty, undefined where there is no column or something is wrong with it. */
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

  /** As `optional`; an empty cell is wrong, too. */
  required<T>(field: string, read: (text: string) => T): T | undefined {
    const value = this.optional(field, read);
    if (value === null) this.problems.push(`Column "${this.#columns.get(field)?.name ?? field}" is empty.`);
    return value ?? undefined;
  }

  /** Says what is wrong with a cell, as the end of the sentence that begins with its column and value. */
  wrong(field: string, what: string): void {
    const column = this.#columns.get(field);
    this.problems.push(`Column "${column?.name ?? field}": "${shown(this.#row.cells[column?.index ?? -1] ?? '')}" ${what}.`);
  }
}

/** Where a column stands, and what its header is. */
export interface Column {
  readonly name: string;
  readonly index: number;
}

const MAX_SHOWN = 60;

function shown(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** The one record of that name. @throws CellProblem where there is none, or several */
export function theOne<T>(records: Named<T>, name: string, what: { readonly one: string; readonly many: string }): T {
  const found = records.get(name) ?? [];
  const [first] = found;
  if (first === undefined) throw new CellProblem(`is no ${what.one} of the institution`);
  if (found.length > 1) throw new CellProblem(`is the ${what.one} of ${String(found.length)} ${what.many}`);
  return first;
}
