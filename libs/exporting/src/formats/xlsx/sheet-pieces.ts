import type { ChosenColumn } from '../../columns/choose-columns.js';
import type { Row } from '../../row.js';
import type { Section } from '../format.js';
import { MAX_BUFFERED, partsOf } from '../run-parts.js';
import type { BufferPool, ByteBuffer } from './byte-buffer.js';
import { rowWriter, SHEET_END, writeHead } from './sheet.js';
import { Widths } from './widths.js';

/** Number of bytes of XML that are compressed at once. */
const PIECE_BYTES = 64 * 1024;

/** A piece of a sheet. The consumer owns its buffer. */
export interface SheetPiece {
  readonly buffer: ByteBuffer;
  /** Whether a sheet begins here: the first sheet of its section, or an additional one. */
  readonly begins: 'section' | 'continuation' | null;
  readonly ends: boolean;
}

interface SheetOptions {
  readonly pool: BufferPool;
  /** Whether the section is the first one of the workbook. */
  readonly isFirst: boolean;
  /** Maximum number of rows of a sheet, including the header. */
  readonly maxRows: number;
  readonly hasGermanNumbers: boolean;
}

/** Yields the sheets of a section piece by piece: always at least one sheet, each with the header row. */
export async function* sheetPieces({ columns, runs }: Section, options: SheetOptions): AsyncGenerator<SheetPiece, void, undefined> {
  const sheets = new SectionSheets(columns, options);
  for await (const run of runs) {
    for (const part of partsOf(run, () => sheets.isFull())) {
      part((row) => sheets.add(row));
      yield* sheets.take();
    }
  }
  sheets.end();
  yield* sheets.take();
}

/** Collects rows until a piece is large enough to be compressed. */
class SectionSheets {
  readonly #columns: readonly ChosenColumn[];
  readonly #options: SheetOptions;
  readonly #widths: Widths;
  readonly #write: ReturnType<typeof rowWriter>;
  #rows: ByteBuffer;
  #full: SheetPiece[] = [];
  #fullBytes = 0;
  /** Number of the last row. */
  #number = 1;
  #begun = 0;
  #isOpen = false;

  constructor(columns: readonly ChosenColumn[], options: SheetOptions) {
    this.#columns = columns;
    this.#options = options;
    this.#widths = new Widths(columns, options.hasGermanNumbers);
    this.#write = rowWriter(columns, options.hasGermanNumbers);
    this.#rows = options.pool.take();
  }

  add(row: Row): void {
    if (this.#number === this.#options.maxRows) {
      this.end();
      this.#number = 1;
    }
    // The widths are written before the rows, so only rows of the first piece can be measured.
    if (this.#begun === 0) this.#widths.measure(row);
    this.#number += 1;
    this.#write(row, this.#number, this.#rows);
    if (this.#rows.length >= PIECE_BYTES) this.#flush(false);
  }

  /** Ends the current sheet. */
  end(): void {
    this.#rows.text(SHEET_END);
    this.#flush(true);
  }

  /** Whether the pieces have to be taken before further rows are added. */
  isFull(): boolean {
    return this.#fullBytes >= MAX_BUFFERED;
  }

  take(): readonly SheetPiece[] {
    const full = this.#full;
    if (full.length > 0) this.#full = [];
    this.#fullBytes = 0;
    return full;
  }

  #flush(ends: boolean): void {
    if (!this.#isOpen) this.#begin();
    this.#full.push({ buffer: this.#rows, begins: null, ends });
    this.#fullBytes += this.#rows.length;
    this.#rows = this.#options.pool.take();
    this.#isOpen = !ends;
  }

  #begin(): void {
    const { pool, isFirst } = this.#options;
    const buffer = pool.take();
    const begins = this.#begun === 0 ? 'section' : 'continuation';
    writeHead(this.#columns, this.#widths, isFirst && begins === 'section', buffer);
    this.#full.push({ buffer, begins, ends: false });
    this.#begun += 1;
  }
}
