import ExcelJS from 'exceljs';
import { employeesOf, tableColumns } from '@stechuhr/bench/data/table.js';
import type { Run } from '@stechuhr/bench/harness/types.js';
import { workbookFile } from './workbook-file.js';

/** The fastest configuration of exceljs: no styles, no shared strings, and days and instants as plain numbers. */
export const run: Run = (input) =>
  workbookFile(input, async (size, { stream }) => {
    const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, useStyles: false, useSharedStrings: false });
    const sheet = workbook.addWorksheet('Export');
    sheet.addRow(tableColumns.map(({ header }) => header)).commit();
    for (const rows of employeesOf(size)) for (const { serials } of rows) sheet.addRow(serials).commit();
    sheet.commit();
    await workbook.commit();
  });
