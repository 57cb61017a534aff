import type { DateRange } from '@stechuhr/worktime';
import { parseChoice, type Choice } from '../grammar.js';
import type { StageChange } from '../modifiers/modifier.js';
import { HEADER_MODIFIER, modifiers } from '../modifiers/registry.js';
import { firstStage, printerOf, type Point, type Stage } from '../modifiers/stage.js';
import { isTooLong, notAChoice, quoted, type Report, worded } from '../problems.js';
import type { Row, RowDetail } from '../row.js';
import { columnIds, findColumn } from './registry.js';

/** A column of a request, with its modifiers compiled into one function. */
export interface ChosenColumn {
  /** The column's id, or the name given by `as`. */
  readonly header: string;
  /** The German name of the column, or the name given by `as`. */
  readonly title: string;
  /** The state of its cells after all modifiers, for formats with typed cells. */
  readonly stage: Stage;
  /** Whether its cells are numbers: JSON numbers, or typed cells. */
  readonly numeric: boolean;
  /** Whether the source of the column is numeric, even if a modifier converted it to text. Such cells never contain formulas. */
  readonly fromNumber: boolean;
  /**
   * Whether its cells are amounts, which are formatted with decimals and thousands separators, as opposed to numbers that identify
   * something, such as years.
   */
  readonly isAmount: boolean;
  /** Whether its cells are the same for all rows of a block. */
  readonly constant: boolean;
  /** The detail of a row that it shows; undefined for data that all rows have. */
  readonly detail?: RowDetail | undefined;
  /** Returns the printed cell; '' if it is empty. */
  readonly cell: (row: Row) => string;
}

/** The context in which the columns of a request are compiled. */
export interface ColumnContext {
  readonly period: DateRange;
  /** The decimal separator of numeric cells. */
  readonly point: Point;
}

/** Compiles the columns of a request, and reports all problems with them. */
export function chooseColumns(texts: readonly string[], context: ColumnContext, report: Report): readonly ChosenColumn[] {
  if (isTooLong(texts, report)) return [];
  const columns = texts.map((text) => chooseColumn(text, context, report));
  const headers = new Set<string>();
  for (const column of columns) {
    if (column === undefined) continue;
    if (headers.has(column.header))
      report(`The header ${quoted(column.header)} is repeated; "${HEADER_MODIFIER}" can distinguish the columns.`);
    headers.add(column.header);
  }
  return columns.filter((column) => column !== undefined);
}

function chooseColumn(text: string, context: ColumnContext, report: Report): ChosenColumn | undefined {
  const problem: Report = (message) => report(() => `${quoted(text)}: ${worded(message)}`);
  const choice = parseChoice(text, problem);
  const column = findColumn(choice.name, context.period);
  const changes = changesOf(choice, problem);
  const header = headerOf(choice, problem);
  if (column === undefined) return void report(notAChoice(choice.name, columnIds));
  const stage = modified(firstStage(column.source), changes, context.point, problem);
  return {
    header: header ?? column.id,
    title: header ?? column.title,
    stage,
    numeric: stage.kind === 'number',
    fromNumber: column.source.kind === 'number',
    isAmount: stage.kind === 'number' && column.source.kind === 'number' && column.source.isName !== true,
    constant: column.scope === 'block',
    detail: column.detail,
    cell: printerOf(stage, context.point),
  };
}

/** The name of a modifier, and the change that it makes. */
type NamedChange = readonly [name: string, change: StageChange];

/** Compiles the modifiers that change cells, from left to right. */
function changesOf({ options }: Choice, report: Report): readonly NamedChange[] {
  return options.flatMap(({ name, value }): NamedChange[] => {
    if (name === HEADER_MODIFIER) return [];
    const change = modifiers.get(name)?.compile(value);
    if (typeof change === 'function') return [[name, change]];
    report(change ?? notAChoice(name, [...modifiers.keys(), HEADER_MODIFIER]));
    return [];
  });
}

function modified(first: Stage, changes: readonly NamedChange[], point: Point, report: Report): Stage {
  let stage = first;
  for (const [name, change] of changes) {
    const next = change(stage, point);
    if (next === undefined) report(`"${name}" does not apply to ${NAMES[stage.kind]}.`);
    stage = next ?? stage;
  }
  return stage;
}

const NAMES: Readonly<Record<Stage['kind'], string>> = { number: 'a number', text: 'a text', day: 'a date', moment: 'a date' };

/** Returns the name given by `as`; undefined without it. */
function headerOf({ options }: Choice, report: Report): string | undefined {
  const option = options.find(({ name }) => name === HEADER_MODIFIER);
  if (option === undefined) return undefined;
  if (option.value === null || option.value === '') report(`"${HEADER_MODIFIER}" needs a text.`);
  return option.value ?? '';
}
