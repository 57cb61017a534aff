import type { ChosenColumn } from '../../columns/choose-columns.js';
import type { Row } from '../../row.js';

/** Number of rows that determine the column widths. */
const MEASURED_ROWS = 100;
const MIN_WIDTH = 8;
const MAX_WIDTH = 60;
/** Room for the margins of a cell, and for bold text. */
const MARGIN = 2;
/** Room for decimals and thousands separators of an amount. */
const FORMATTED = 4;

/** Widths of columns that fit their headers and the cells of the first rows. */
export class Widths {
  readonly #columns: readonly ChosenColumn[];
  readonly #lengths: number[];
  readonly #extra: readonly number[];
  #measured = 0;

  constructor(columns: readonly ChosenColumn[], hasGermanNumbers: boolean) {
    this.#extra = columns.map(({ isAmount }) => (hasGermanNumbers && isAmount ? FORMATTED : 0));
    this.#columns = columns;
    this.#lengths = columns.map(({ header }) => header.length);
  }

  /** Measures a row if it is one of the first. */
  measure(row: Row): void {
    if (this.#measured >= MEASURED_ROWS) return;
    this.#measured += 1;
    this.#columns.forEach(({ cell }, index) => {
      this.#lengths[index] = Math.max(this.#lengths[index] ?? 0, cell(row).length);
    });
  }

  /** The element `cols` of a sheet. */
  get xml(): string {
    const columns = this.#lengths.map((length, index) => {
      const number = String(index + 1);
      const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, length + MARGIN + (this.#extra[index] ?? 0)));
      return `<col min="${number}" max="${number}" width="${String(width)}" customWidth="1"/>`;
    });
    return `<cols>${columns.join('')}</cols>`;
  }
}
