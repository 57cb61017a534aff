import papa from 'papaparse';
import { employeesOf, tableColumns } from '@stechuhr/bench/data/table.js';
import { timedFile } from '@stechuhr/bench/data/timed-file.js';
import type { Run } from '@stechuhr/bench/harness/types.js';

const ROWS_AT_ONCE = 1_000;
const NEWLINE = '\r\n';

/** Papaparse has no writable stream, so rows are passed to it in batches of 1,000. */
export const run: Run = (input) =>
  timedFile(input, async ({ put }) => {
    let rows: (readonly string[])[] = [tableColumns.map(({ header }) => header)];
    const flush = async (): Promise<void> => {
      // The type declares mutable arrays.
      await put(papa.unparse(rows as string[][], { newline: NEWLINE }) + NEWLINE);
      rows = [];
    };
    for (const employee of employeesOf(input.size)) {
      for (const { texts } of employee) {
        rows.push(texts);
        if (rows.length === ROWS_AT_ONCE) await flush();
      }
    }
    if (rows.length > 0) await flush();
  });
