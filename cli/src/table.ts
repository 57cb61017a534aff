import { printable } from './printable.js';

/** Formats rows as padded columns below a header; the last column is not padded. Each row stays on one line, whatever its cells contain. */
export function table(header: readonly string[], raw: readonly (readonly string[])[]): string {
  const rows = raw.map((row) => row.map(printable));
  const widths = header.map((title, column) => rows.reduce((width, row) => Math.max(width, lengthOf(row[column] ?? '')), lengthOf(title)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - lengthOf(cell)))
      .join('  ')
      .trimEnd();
  return [header, widths.map((width) => '─'.repeat(width)), ...rows].map(line).join('\n');
}

/** Counts code points, so that characters outside of the basic plane count once. */
function lengthOf(text: string): number {
  return [...text].length;
}
