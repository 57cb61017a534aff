import { timedFile } from '@stechuhr/bench/data/timed-file.js';
import type { FileSink } from '@stechuhr/bench/data/file-sink.js';
import type { Outcome, RunInput } from '@stechuhr/bench/harness/types.js';

/** Reading a workbook back takes a hundred times its size in memory. */
const MAX_ROWS_CHECKED = 20_000;

/** Measures how long writing a workbook takes. While checking, it also computes the digest of the cells that readers find in the file. */
export function workbookFile(input: RunInput, write: (rows: number, sink: FileSink) => Promise<void>): Promise<Outcome> {
  const rows = rowsOf(input);
  return timedFile(input, (sink) => write(rows, sink), readBack);
}

/** The readers increase the memory of the process, so they are loaded only when they are needed. */
async function readBack(path: string): Promise<string> {
  const { cellsDigest } = await import('./cells-digest.js');
  return cellsDigest(path);
}

/** Returns the number of rows to write; a check writes fewer. */
export function rowsOf({ size, checking }: RunInput): number {
  return checking ? Math.min(size, MAX_ROWS_CHECKED) : size;
}
