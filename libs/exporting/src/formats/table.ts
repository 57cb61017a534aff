import type { ChosenColumn } from '../columns/choose-columns.js';
import type { Format, Section } from './format.js';
import { readOptions } from './options.js';
import { onOneLine, TEXT_FILE } from './plain.js';
import { joined, sectionHead, type SectionText } from './text-file.js';

/** Number of rows that determine the column widths. A table is for people to read; in a very long one, a later line may be wider. */
const MEASURED_ROWS = 2000;
/** The same in characters, because all of these rows are in memory together. */
const MEASURED_LENGTH = 4 * 1024 * 1024;
/** Maximum width to which cells are padded, as long as the longest name. Only comments are longer; their lines are wider. */
const MAX_WIDTH = 255;
const GAP = '  ';
/** The block of combining marks (Unicode, Combining Diacritical Marks). */
const FIRST_MARK = '\u0300';
const LAST_MARK = '\u036f';

type Cells = readonly string[];

/** A header, a separator line and padded columns, with numbers right-aligned. */
export const table: Format = {
  id: 'table',
  title: 'Tabelle',
  description: 'Text mit Kopfzeile, Linie und gleich breiten Spalten; Zahlen stehen rechts.',
  example: 'export_format=table',
  options: [],
  configure: (given, report) => {
    readOptions({}, given, report);
    return { ...TEXT_FILE, write: (sections) => joined(sections, tableSection) };
  },
};

/** Buffers the first rows until the widths are known. */
function tableSection(section: Section, index: number): SectionText {
  const { columns } = section;
  const header = columns.map((column) => onOneLine(column.header));
  let widths = widthsWith(
    header,
    columns.map(() => 0),
  );
  let waiting: Cells[] = [];
  let length = 0;
  let print: ((cells: Cells) => string) | undefined;
  const keep = (cells: Cells): boolean => {
    const wider = widthsWith(cells, widths);
    length += sum(cells.map((cell) => cell.length));
    if (waiting.length === MEASURED_ROWS || length + (waiting.length + 1) * sum(wider) > MEASURED_LENGTH) return false;
    widths = wider;
    waiting.push(cells);
    return true;
  };
  const begin = (...last: readonly Cells[]): string => {
    print = linePrinter(columns, widths);
    const rule = widths.map((width) => '-'.repeat(width));
    const text = [header, rule, ...waiting, ...last].map(print).join('');
    waiting = [];
    return text;
  };
  return {
    head: sectionHead(section, index, '\n', onOneLine),
    line: (row) => {
      const cells = columns.map((column) => onOneLine(column.cell(row)));
      if (print !== undefined) return print(cells);
      return keep(cells) ? '' : begin(cells);
    },
    tail: () => (print === undefined ? begin() : ''),
  };
}

/** Returns widths that also fit a line. */
function widthsWith(cells: Cells, widths: readonly number[]): readonly number[] {
  return widths.map((width, index) => Math.max(width, Math.min(widthOf(cells[index] ?? ''), MAX_WIDTH)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Counts characters: neither UTF-16 units, nor combining marks, which take no place of their own. */
function widthOf(cell: string): number {
  let width = 0;
  for (const character of cell) if (character < FIRST_MARK || character > LAST_MARK) width += 1;
  return width;
}

function linePrinter(columns: readonly ChosenColumn[], widths: readonly number[]): (cells: Cells) => string {
  return (cells) => {
    const padded = cells.map((cell, index) => {
      const space = ' '.repeat(Math.max(0, (widths[index] ?? 0) - widthOf(cell)));
      return columns[index]?.numeric === true ? space + cell : cell + space;
    });
    return `${padded.join(GAP).trimEnd()}\n`;
  };
}
