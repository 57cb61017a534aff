import { employeesOf, type TableRow } from '../../data/table.js';
import { timedFile } from '../../data/timed-file.js';
import type { Outcome, RunInput } from '../../harness/types.js';

const CHUNK_LENGTH = 64 * 1024;

/** Writes an array row by row, in chunks. */
export function jsonRows(input: RunInput, print: (record: TableRow['record']) => string): Promise<Outcome> {
  return timedFile(input, async ({ put }) => {
    let text = '[';
    let separator = '';
    for (const rows of employeesOf(input.size)) {
      for (const { record } of rows) {
        text += separator + print(record);
        separator = ',';
        if (text.length < CHUNK_LENGTH) continue;
        await put(text);
        text = '';
      }
    }
    await put(`${text}]`);
  });
}
