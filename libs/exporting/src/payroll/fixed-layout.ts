import type { AbsenceCategory, DateRange } from '@stechuhr/worktime';
import type { ChosenColumn } from '../columns/choose-columns.js';
import type { CellSource } from '../columns/column.js';
import type { ExportDirectory } from '../directory.js';
import type { ChosenFormat, Format } from '../formats/format.js';
import { firstStage, printerOf, type Stage } from '../modifiers/stage.js';
import type { Report } from '../problems.js';
import type { FilledBy, ReferenceEntry } from '../reference.js';
import type { Row, Unit } from '../row.js';
import type { RowType } from '../row-types/row-type.js';

/** An exporter with fixed rows and columns: wage records for a payroll program (spec: Exports). */
export interface FixedLayout {
  /** Its row types, in the order of the file; each id is a wage code. */
  readonly wageCodes: readonly RowType[];
  /** The categories of absences that have a wage code. */
  readonly absences: ReadonlySet<AbsenceCategory>;
  /** The accounting numbers that the payroll program accepts; undefined if it accepts all. */
  readonly numbers?: { readonly accepts: (accountingNumber: string) => boolean; readonly form: string };
  /** Whether the parameter `types` may select wage codes. */
  readonly choosesCodes: boolean;
  /** The formats, with the options that the layout allows. */
  readonly formats: readonly Format[];
  columns(context: LayoutContext): readonly ChosenColumn[];
  /** The description of its columns on the reference page. */
  readonly columnReference: readonly ReferenceEntry[];
  /** Parameters that every request needs in addition to `daterange`. */
  readonly required: Readonly<Record<string, string>>;
  /** Validates the parameter `config` (null if missing) and returns the first row. */
  readFirstRow(config: string | null, period: DateRange, report: Report): readonly string[] | null;
}

/** The context of the columns of a layout. */
export interface LayoutContext {
  readonly directory: ExportDirectory;
  readonly period: DateRange;
  readonly format: ChosenFormat;
}

/** Creates a text column whose cells are the same in all rows of an employee and wage code. */
export function textColumn(header: string, read: (row: Row) => string | null): ChosenColumn {
  return columnOf(header, firstStage({ kind: 'text', read }), true);
}

/** Creates a text column whose cells differ between rows. */
export function rowTextColumn(header: string, read: (row: Row) => string | null): ChosenColumn {
  return columnOf(header, firstStage({ kind: 'text', read }), false);
}

/** Creates a column of whole numbers. */
export function wholeColumn(header: string, read: (row: Row) => number | null, constant: boolean): ChosenColumn {
  const source: CellSource = { kind: 'number', read, per: () => 1, rounded: (row) => read(row) ?? 0 };
  return { ...columnOf(header, firstStage(source), constant), numeric: true };
}

/** Creates the column with the value of a row: with two decimals and a decimal comma in text formats, as a number in others. */
export function countColumn(header: string, format: ChosenFormat): ChosenColumn {
  if (format.content !== 'text') {
    const source: CellSource = { kind: 'number', read: (row) => row.amount, per: (row) => row.per, rounded: (row) => row.rounded };
    return { ...columnOf(header, firstStage(source), false), numeric: true, isAmount: true };
  }
  const read = ({ rounded }: Row): string => printedCount(rounded);
  return { ...columnOf(header, { kind: 'text', read, printedNumber: false }, false), numeric: true };
}

/** Creates a text column with the values of one unit; empty in rows of the other unit. */
export function unitColumn(header: string, unit: Unit): ChosenColumn {
  const read = ({ rounded, block }: Row): string => (block.type.unit === unit ? printedCount(rounded) : '');
  return columnOf(header, { kind: 'text', read, printedNumber: false }, false);
}

function printedCount(rounded: number): string {
  return rounded.toFixed(2).replace('.', ',');
}

function columnOf(header: string, stage: Stage, constant: boolean): ChosenColumn {
  return { header, title: header, stage, numeric: false, fromNumber: true, isAmount: false, constant, cell: printerOf(stage, '.') };
}

/**
 * Returns the reference entries of fixed columns, which all wage codes or only the listed ones fill; their example is a request whose file
 * contains them.
 */
export function fixedColumnReference(
  texts: readonly (readonly [id: string, title: string, description: string, filledBy?: FilledBy])[],
  example: string,
): readonly ReferenceEntry[] {
  return texts.map(([id, title, description, filledBy = 'all']) => ({ id, title, description, example, filledBy }));
}
