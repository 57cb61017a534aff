import type { Block, Row } from '../row.js';

/** A part of every line: a fixed text, or the encoder of a column with whether its cells depend only on the row's block. */
export type LinePart = string | { readonly constant: boolean; readonly encode: (row: Row) => string };

/** Compiles a line. Parts that are the same within a block are concatenated once for all of its rows. */
export function lineOf(parts: readonly LinePart[]): (row: Row) => string {
  const cells = parts.flatMap((part) => (typeof part === 'string' || part.constant ? [] : [part.encode]));
  let between: readonly string[] = [];
  let block: Block | undefined;
  return (row) => {
    if (row.block !== block) {
      block = row.block;
      between = textsBetween(parts, row);
    }
    let line = between[0] ?? '';
    for (let index = 0; index < cells.length; index += 1) line += (cells[index]?.(row) ?? '') + (between[index + 1] ?? '');
    return line;
  };
}

/** Returns the texts before, between and after the cells that differ between rows. */
function textsBetween(parts: readonly LinePart[], row: Row): readonly string[] {
  const texts: string[] = [];
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else if (part.constant) text += part.encode(row);
    else {
      texts.push(text);
      text = '';
    }
  }
  return [...texts, text];
}
