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

/** An exporter with fixed rows and columns: wage records for one payroll program (spec: Exports). */
export interface FixedLayout {
  /** Its row types, in the order of the file; each id is a wage code. */
  readonly wageCodes: readonly RowType[];
  /** The categories of absences that have a wage code. */
  readonly absences: ReadonlySet<AbsenceCategory>;
  /** Which accounting numbers the payroll program accepts; undefined if it accepts all. */
  readonly numbers?: { readonly accepts: (accountingNumber: string) => boolean; readonly form: string };
  /** Whether `types` may select the wage codes that are written. */
  readonly choosesCodes: boolean;
  /** The formats, with the options that the layout allows. */
  readonly formats: readonly Format[];
  columns(context: LayoutContext): readonly ChosenColumn[];
  /** The description of its columns on the reference page. */
  readonly columnReference: readonly ReferenceEntry[];
  /** Parameters that every request needs in addition to `daterange`. */
  readonly required: Readonly<Record<string, string>>;
  /** Reads the parameter `config` (null if there is none) and returns the cells of the first row. */
  readFirstRow(config: string | null, period: DateRange, report: Report): readonly string[] | null;
}

/** What the columns of a layout depend on. */
export interface LayoutContext {
  readonly directory: ExportDirectory;
  readonly period: DateRange;
  readonly format: ChosenFormat;
}

/** A column of texts that are the same in all rows of an employee and wage code. */
export function textColumn(header: string, read: (row: Row) => string | null): ChosenColumn {
  return columnOf(header, firstStage({ kind: 'text', read }), true);
}

/** A column of texts that differ between rows. */
export function rowTextColumn(header: string, read: (row: Row) => string | null): ChosenColumn {
  return columnOf(header, firstStage({ kind: 'text', read }), false);
}

/** A column of integers. */
export function wholeColumn(header: string, read: (row: Row) => number | null, constant: boolean): ChosenColumn {
  const source: CellSource = { kind: 'number', read, per: () => 1, rounded: (row) => read(row) ?? 0 };
  return { ...columnOf(header, firstStage(source), constant), numeric: true };
}

/** The value of a row: in text formats with two decimals after a comma, otherwise a number. */
export function countColumn(header: string, format: ChosenFormat): ChosenColumn {
  if (format.content !== 'text') {
    const source: CellSource = { kind: 'number', read: (row) => row.amount, per: (row) => row.per, rounded: (row) => row.rounded };
    return { ...columnOf(header, firstStage(source), false), numeric: true, isAmount: true };
  }
  const read = ({ rounded }: Row): string => printedCount(rounded);
  return { ...columnOf(header, { kind: 'text', read, printedNumber: false }, false), numeric: true };
}

/** The value of rows with a certain unit, as text; empty in other rows. */
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
 * Entries of a reference page about fixed columns, which are filled by all wage codes or the given ones; their example is a request that shows them.
 */
export function fixedColumnReference(
  texts: readonly (readonly [id: string, title: string, description: string, filledBy?: FilledBy])[],
  example: string,
): readonly ReferenceEntry[] {
  return texts.map(([id, title, description, filledBy = 'all']) => ({ id, title, description, example, filledBy }));
}
