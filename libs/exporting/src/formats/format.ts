import type { ChosenColumn } from '../columns/choose-columns.js';
import type { TextEncoding } from '../encodings/text-encoding.js';
import type { ChoiceOption } from '../grammar.js';
import type { Point } from '../modifiers/stage.js';
import type { Report } from '../problems.js';
import type { ReferenceEntry } from '../reference.js';
import type { Emit } from '../row-types/row-type.js';

/** Emits the rows of one employee, in order. */
export type RowRun = (emit: Emit) => void;

/** Rows with common columns: a whole `generic` file, or one part of a `multi` file. */
export interface Section {
  readonly title: string | null;
  /** Cells of an additional first row, for text formats without a header. */
  readonly firstRow?: readonly string[] | null;
  readonly columns: readonly ChosenColumn[];
  /** Read once, and only when the section is reached. */
  readonly runs: AsyncIterable<RowRun>;
}

/** A file format. A new format is one file and a line in the registry. */
export interface Format extends ReferenceEntry {
  /** Its options, for the reference page. */
  readonly options: readonly ReferenceEntry[];
  /** Reads the options of a request and reports problems. */
  configure(options: readonly ChoiceOption[], report: Report): ChosenFormat;
}

/** The format of a request, with its options. */
export type ChosenFormat = TextFormat | BinaryFormat;

interface FormatTraits {
  /** With the charset for text. */
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

/** A text format, whose files can be put into an envelope. */
export interface TextFormat extends FormatTraits {
  /** `text`: lines of text, which may have a prefix and become a string in an envelope; `json`: a JSON value. */
  readonly content: 'text' | 'json';
  /** The file as texts of about 64 Ki characters, without byte order mark and prefix. Only the rows of one employee are in memory at a time. */
  write(sections: readonly Section[]): AsyncIterable<string>;
}

/** A binary format, without prefix or envelope. */
export interface BinaryFormat extends FormatTraits {
  readonly content: 'binary';
  /** The file in chunks of about 64 KiB. Only the rows of one employee are in memory at a time. */
  write(sections: readonly Section[]): AsyncIterable<Uint8Array>;
}
