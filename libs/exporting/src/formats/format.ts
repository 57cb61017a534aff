import type { ChosenColumn } from '../columns/choose-columns.js';
import type { TextEncoding } from '../encodings/text-encoding.js';
import type { ChoiceOption } from '../grammar.js';
import type { Point } from '../modifiers/stage.js';
import type { Report } from '../problems.js';
import type { ReferenceEntry } from '../reference.js';
import type { Emit } from '../row-types/row-type.js';

/** Emits the rows of one employee, in order. */
export type RowRun = (emit: Emit) => void;

/** Rows with common columns: all of a `generic` file, one part of a `multi` file. */
export interface Section {
  readonly title: string | null;
  /** Cells of a row above all others, for formats of lines that name no columns. */
  readonly firstRow?: readonly string[] | null;
  readonly columns: readonly ChosenColumn[];
  /** Read once, and only when the section is reached. */
  readonly runs: AsyncIterable<RowRun>;
}

/** A file format. Adding one is a file and a line in the registry. */
export interface Format extends ReferenceEntry {
  /** Its options, for the reference page. */
  readonly options: readonly ReferenceEntry[];
  /** Reads the options of a request; what is wrong with them is reported. */
  configure(options: readonly ChoiceOption[], report: Report): ChosenFormat;
}

/** A format as a request chose it. */
export type ChosenFormat = TextFormat | BinaryFormat;

interface FormatTraits {
  /** With its charset where it is text. */
  readonly contentType: string;
  /** Without the dot. */
  readonly extension: string;
  readonly encoding: TextEncoding;
  /** Whether a file begins with a byte order mark. */
  readonly bom: boolean;
  /** The decimal separator of numeric cells. */
  readonly point: Point;
  /** Whether a payroll file has hours and days in fields of their own. */
  readonly splitsUnits?: boolean;
}

/** A format whose files are text and fit into an envelope. */
export interface TextFormat extends FormatTraits {
  /** What a file is made of: lines of text, which may have a prefix and are a string in an envelope, or a JSON value. */
  readonly content: 'text' | 'json';
  /**
   * The file as texts of about 64 Ki characters, without byte order mark and prefix. Rows of more than one employee are never collected.
   */
  write(sections: readonly Section[]): AsyncIterable<string>;
}

/** A format whose files are bytes; they have neither prefix nor envelope. */
export interface BinaryFormat extends FormatTraits {
  readonly content: 'binary';
  /** The file in chunks of about 64 KiB. Rows of more than one employee are never collected. */
  write(sections: readonly Section[]): AsyncIterable<Uint8Array>;
}
