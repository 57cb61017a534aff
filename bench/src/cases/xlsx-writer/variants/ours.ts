import { exportSection, formatOf } from '../../../data/export-section.js';
import type { Run } from '../../../harness/types.js';
import { workbookFile } from '../workbook-file.js';

export const run: Run = (input) =>
  workbookFile(input, async (rows, { put }) => {
    for await (const chunk of formatOf('xlsx').write([exportSection(rows)])) await put(chunk);
  });
