import type { Block, LineMark, Mark, Tag } from './drawing.js';
import { drawLines, heightOf, type Lines } from './paper.js';
import { BODY_WIDTH, COLOR, LINE, STYLE } from './theme.js';

/** A column; the shares of all columns of a table add up to 1. */
export interface Column {
  readonly title: string;
  readonly share: number;
  readonly align?: 'right';
}

/** A row; its cells are wrapped to the text width of their columns. */
export interface RowSpec {
  readonly columns: readonly Column[];
  readonly cells: readonly Lines[];
  /** Elements in the structure of the document, one for each cell; none for repeated rows. */
  readonly tags: readonly Tag[];
  /** Whether it is a sum, which has a stronger line above it and stays with the previous row. */
  readonly isSum?: boolean;
}

/** Padding above and below the text of a row. */
const PADDING = 4;
/** Distance between columns. */
const GAP = 14;
/** A row with more lines than this may be divided between pages; at least two lines stay together. */
const WHOLE_LINES = 6;
const LEAST_LINES = 2;

/** Returns the text width of a column. */
export function textWidth(column: Column): number {
  return column.share * BODY_WIDTH - GAP;
}

/** Creates the row of column headings. */
export function columnTitles(columns: readonly Column[], tags: readonly Tag[]): Block {
  const cells = columns.map(({ title }) => ({ lines: [title], style: STYLE.label }));
  const height = STYLE.label.leading + 2 * PADDING;
  return {
    height,
    draw: (x, y) => [...drawCells({ columns, cells, tags }, x, y), line(x, y + height, LINE.rule, COLOR.muted)],
  };
}

/** Creates a row with a line below it. */
export function tableRow(spec: RowSpec): Block {
  const isSum = spec.isSum === true;
  return {
    ...openRow(spec),
    withPrevious: isSum,
    draw: (x, y) => [
      ...drawCells(spec, x, y),
      isSum ? line(x, y, LINE.rule, COLOR.muted) : line(x, y + rowHeight(spec), LINE.hair, COLOR.hair),
    ],
  };
}

/** Creates a row without a line, or the part of a row that continues on the next page. */
function openRow(spec: RowSpec): Block {
  const count = Math.max(...spec.cells.map(({ lines }) => lines.length));
  const leading = Math.max(...spec.cells.map(({ style }) => style.leading));
  const block = { height: rowHeight(spec), draw: (x: number, y: number) => drawCells(spec, x, y) };
  if (count <= WHOLE_LINES) return block;
  const part = (start: number, end?: number): RowSpec => ({
    ...spec,
    cells: spec.cells.map((cell) => ({ ...cell, lines: cell.lines.slice(start, end) })),
  });
  return {
    ...block,
    division: {
      least: LEAST_LINES * leading + 2 * PADDING,
      at(height) {
        const fitting = Math.min(Math.floor((height - 2 * PADDING) / leading), count - LEAST_LINES);
        return [openRow(part(0, fitting)), tableRow(part(fitting))];
      },
    },
  };
}

function rowHeight({ cells }: RowSpec): number {
  return Math.max(...cells.map(heightOf)) + 2 * PADDING;
}

function drawCells({ columns, cells, tags }: RowSpec, x: number, y: number): readonly Mark[] {
  let left = x;
  return columns.flatMap((column, index) => {
    const start = left;
    left += column.share * BODY_WIDTH;
    const cell = cells[index];
    const isLast = index === columns.length - 1;
    const at = column.align === 'right' ? { x: isLast ? left : left - GAP, align: column.align } : { x: start };
    return cell === undefined ? [] : drawLines(cell, { ...at, y: y + PADDING }, tags[index]);
  });
}

function line(x: number, y: number, weight: number, color: string): LineMark {
  return { kind: 'line', x, y, width: BODY_WIDTH, weight, color };
}
