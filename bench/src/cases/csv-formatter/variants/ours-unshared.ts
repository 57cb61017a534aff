import { exportSection, formatOf } from '../../../data/export-section.js';
import { timedFile } from '../../../data/timed-file.js';
import type { Run } from '../../../harness/types.js';

/** As if each cell could change with each row. */
export const run: Run = (input) =>
  timedFile(input, async ({ put }) => {
    for await (const text of formatOf('csv').write([exportSection(input.size, false)])) await put(text);
  });
