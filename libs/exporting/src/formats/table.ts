import type { ChosenColumn } from '../columns/choose-columns.js';
import type { Format, Section } from './format.js';
import { readOptions } from './options.js';
import { onOneLine, TEXT_FILE } from './plain.js';
import { joined, sectionHead, type SectionText } from './text-file.js';

/** Number of rows that determine the column widths. A table is for people to read; in a very long one, a later line may be wider. */
const MEASURED_ROWS = 2000;
const GAP = '  ';

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
  let waiting: Cells[] = [];
  let print: ((cells: Cells) => string) | undefined;
  const begin = (): string => {
    const widths = widthsOf([header, ...waiting]);
    print = linePrinter(columns, widths);
    const rule = widths.map((width) => '-'.repeat(width));
    const text = [header, rule, ...waiting].map(print).join('');
    waiting = [];
    return text;
  };
  return {
    head: sectionHead(section, index, '\n', onOneLine),
    line: (row) => {
      const cells = columns.map((column) => onOneLine(column.cell(row)));
      if (print !== undefined) return print(cells);
      waiting.push(cells);
      return waiting.length < MEASURED_ROWS ? '' : begin();
    },
    tail: () => (print === undefined ? begin() : ''),
  };
}

function widthsOf(lines: readonly Cells[]): readonly number[] {
  const widths: number[] = [];
  for (const cells of lines) cells.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, widthOf(cell))));
  return widths;
}

/** Counts characters, not UTF-16 units. */
function widthOf(cell: string): number {
  let width = 0;
  for (const _character of cell) width += 1;
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
