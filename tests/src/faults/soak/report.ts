import { measures, type Measure } from './measures.js';
import type { Row } from './verdict.js';

const HEAD = ['', 'measure', 'of', 'first', 'last', 'growth', 'at least', 'allowed', 'samples'];

/** Returns a table with a row for each series. */
export function tableOf(rows: readonly Row[]): string {
  const order = Object.keys(measures);
  const sorted = rows.toSorted((one, other) => order.indexOf(one.measure) - order.indexOf(other.measure));
  const cells = [HEAD, ...sorted.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lined = (row: readonly string[]): string =>
    row.map((cell, column) => (column < 3 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ');
  return cells.map(lined).join('\n');
}

function cellsOf({ measure, of, from, to, trend: { samples, grows, growth, leastGrowth } }: Row): readonly string[] {
  const { title, unit, allowance }: Measure = measures[measure];
  const shown = (value: number | undefined): string => (value === undefined ? '–' : `${value.toFixed(1)}${unit && ` ${unit}`}`);
  const mark = allowance === undefined || grows === undefined ? '·' : grows ? '✗' : '✓';
  const numbers = [from, to, growth, leastGrowth, allowance].map(shown);
  return [mark, title, of, ...numbers, String(samples)];
}
