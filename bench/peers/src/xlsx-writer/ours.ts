import { exportSection, formatOf } from '@stechuhr/bench/data/export-section.js';
import type { Run } from '@stechuhr/bench/harness/types.js';
import { workbookFile } from './workbook-file.js';

export const run: Run = (input) =>
  workbookFile(input, async (rows, { put }) => {
    for await (const chunk of formatOf('xlsx').write([exportSection(rows)])) await put(chunk);
  });
