import { exportSection, formatOf } from '../../../data/export-section.js';
import { timedFile } from '../../../data/timed-file.js';
import type { Run } from '../../../harness/types.js';

/** Does not tell the formatter which cells are equal in all rows of an employee. */
export const run: Run = (input) =>
  timedFile(input, async ({ put }) => {
    for await (const text of formatOf('csv').write([exportSection(input.size, false)])) await put(text);
  });
