import { writeXlsxStream, type CellValue } from 'hucre/xlsx';
import { employeesOf, tableColumns } from '@stechuhr/bench/data/table.js';
import type { Run } from '@stechuhr/bench/harness/types.js';
import { workbookFile } from './workbook-file.js';

/** hucre has a fixed compression level, which is higher than that of the other variants. */
export const run: Run = (input) =>
  workbookFile(input, async (size, { put }) => {
    const columns = tableColumns.map(({ header }) => ({ header }));
    for await (const chunk of writeXlsxStream(rowsOf(size), { name: 'Export', columns })) await put(chunk);
  });

function* rowsOf(size: number): Generator<CellValue[], void, undefined> {
  for (const rows of employeesOf(size)) for (const { serials } of rows) yield [...serials];
}
