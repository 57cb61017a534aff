import { employeesOf } from '../../../data/table.js';
import { timedFile } from '../../../data/timed-file.js';
import type { Run } from '../../../harness/types.js';

/** Collects all rows in memory and serialises them at once. */
export const run: Run = (input) =>
  timedFile(input, async ({ put }) => {
    const records = [...employeesOf(input.size)].flatMap((rows) => rows.map(({ record }) => record));
    await put(JSON.stringify(records));
  });
