import type { Row } from '../row.js';
import type { RowRun } from './format.js';

/** Large enough that chunks cost nothing, small enough that a slow reader holds little (measurements.md §2.1, §2.6). */
const CHUNK_LENGTH = 64 * 1024;

/** A file made of a beginning, a text per row and an end. */
export interface TextFile {
  readonly head: string;
  readonly line: (row: Row) => string;
  readonly tail: () => string;
}

/** Joins the rows into texts of about 64 Ki characters. */
export async function* joined(file: TextFile, runs: AsyncIterable<RowRun>): AsyncGenerator<string, void, undefined> {
  let text = file.head;
  let full: string[] = [];
  const add = (row: Row): void => {
    text += file.line(row);
    if (text.length < CHUNK_LENGTH) return;
    full.push(text);
    text = '';
  };
  for await (const run of runs) {
    run(add);
    if (full.length === 0) continue;
    yield* full;
    full = [];
  }
  yield text + file.tail();
}
