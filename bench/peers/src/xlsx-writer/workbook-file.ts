import { timedFile } from '@stechuhr/bench/data/timed-file.js';
import type { FileSink } from '@stechuhr/bench/data/file-sink.js';
import type { Outcome, RunInput } from '@stechuhr/bench/harness/types.js';

/** Reading a workbook back takes a hundred times its memory. */
const MAX_ROWS_CHECKED = 20_000;

/** The outcome of a writer of workbooks: its time, and the digest of what readers find in the file. */
export function workbookFile(input: RunInput, write: (rows: number, sink: FileSink) => Promise<void>): Promise<Outcome> {
  const rows = rowsOf(input);
  return timedFile(input, (sink) => write(rows, sink), readBack);
}

/** The readers need memory of their own, so they are only loaded where they are asked. */
async function readBack(path: string): Promise<string> {
  const { cellsDigest } = await import('./cells-digest.js');
  return cellsDigest(path);
}

/** How many rows are written: a check does with fewer. */
export function rowsOf({ size, checking }: RunInput): number {
  return checking ? Math.min(size, MAX_ROWS_CHECKED) : size;
}
