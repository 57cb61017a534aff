import type { ChosenColumn } from '../columns/choose-columns.js';
import type { TextEncoding } from '../encodings/text-encoding.js';
import type { ChoiceOption } from '../grammar.js';
import type { Point } from '../modifiers/stage.js';
import type { Report } from '../problems.js';
import type { ReferenceEntry } from '../reference.js';
import type { Emit } from '../row-types/row-type.js';

/** Emits the rows of one employee, in order. */
export type RowRun = (emit: Emit) => void;

/** Rows with common columns: the whole file of a `generic` export, or one part of a `multi` export. */
export interface Section {
  readonly title: string | null;
  /** Cells of a first row, for text formats without column names. */
  readonly firstRow?: readonly string[] | null;
  readonly columns: readonly ChosenColumn[];
  /** Iterated once, and only when the section is reached. */
  readonly runs: AsyncIterable<RowRun>;
}

/** A file format. A new one needs a file and an entry in the registry. */
export interface Format extends ReferenceEntry {
  /** Its options, for the reference page. */
  readonly options: readonly ReferenceEntry[];
  /** Configures the format with the options of a request, and reports problems. */
  configure(options: readonly ChoiceOption[], report: Report): ChosenFormat;
}

/** The format of a request, with its options. */
export type ChosenFormat = TextFormat | BinaryFormat;

interface FormatTraits {
  /** Includes the charset for text. */
  readonly contentType: string;
  /** Without the dot. */
  readonly extension: string;
  readonly encoding: TextEncoding;
  /** Whether a file begins with a byte order mark. */
  readonly bom: boolean;
  /** The decimal separator of numeric cells. */
  readonly point: Point;
  /** Whether a payroll file has separate fields for hours and days. */
  readonly splitsUnits?: boolean;
}

/** A format whose files are text and can be wrapped in an envelope. */
export interface TextFormat extends FormatTraits {
  /** The kind of content: lines of text, which may have a prefix and become a string in an envelope, or a JSON value. */
  readonly content: 'text' | 'json';
  /**
   * Yields the file as texts of about 64 Ki characters, without byte order mark and prefix. It never buffers the rows of more than one
   * employee.
   */
  write(sections: readonly Section[]): AsyncIterable<string>;
}

/** A format whose files are binary; they have neither a prefix nor an envelope. */
export interface BinaryFormat extends FormatTraits {
  readonly content: 'binary';
  /** Yields the file in chunks of about 64 KiB. It never buffers the rows of more than one employee. */
  write(sections: readonly Section[]): AsyncIterable<Uint8Array>;
}
