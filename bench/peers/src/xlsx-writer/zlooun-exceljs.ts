import ExcelJS from '@zlooun/exceljs';
import { employeesOf, tableColumns } from '@stechuhr/bench/data/table.js';
import type { Run } from '@stechuhr/bench/harness/types.js';
import { workbookFile } from './workbook-file.js';

/** A fork of exceljs in which writing a row can be awaited. */
export const run: Run = (input) =>
  workbookFile(input, async (size, { stream }) => {
    const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, useStyles: false, useSharedStrings: false });
    const sheet = workbook.addWorksheet('Export');
    await sheet.addRow(tableColumns.map(({ header }) => header)).commit();
    for (const rows of employeesOf(size)) for (const { serials } of rows) await sheet.addRow(serials).commit();
    await sheet.commit();
    await workbook.commit();
  });
