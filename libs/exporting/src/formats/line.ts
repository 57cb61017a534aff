import type { Block, Row } from '../row.js';

/** A part of every line: a fixed text, or the encoded cell of a column; `constant` if it is the same for all rows of a block. */
export type LinePart = string | { readonly constant: boolean; readonly encode: (row: Row) => string };

/** Compiles a line. Parts that do not change within a block are joined once for all of its rows. */
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

/** The texts before, between and after the cells that differ between rows. */
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
