import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import ExcelJS from 'exceljs';
import { readXlsx } from 'hucre/xlsx';
import { tableColumns, type TableColumn } from '@stechuhr/bench/data/table.js';

const DAY_SECONDS = 86_400;
const SERIAL_OF_EPOCH = 25_569;

type Rows = Iterable<readonly unknown[]>;

/** Returns the digest of all cells of a workbook. @throws Error if exceljs and hucre read different cells */
export async function cellsDigest(path: string): Promise<string> {
  const digests = [digestOf(await readWithExceljs(path)), digestOf(await readWithHucre(path))];
  if (digests[0] !== digests[1]) throw new Error(`exceljs and hucre read different cells: ${digests.join(', ')}`);
  return digests[0] ?? '';
}

async function readWithExceljs(path: string): Promise<Rows> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(path);
  const sheet = workbook.worksheets[0];
  if (sheet === undefined) throw new Error('The workbook has no sheet.');
  return Array.from({ length: sheet.rowCount }, (_, row) =>
    tableColumns.map((_column, index) => sheet.getRow(row + 1).getCell(index + 1).value),
  );
}

async function readWithHucre(path: string): Promise<Rows> {
  const [sheet] = (await readXlsx(await readFile(path))).sheets;
  if (sheet === undefined) throw new Error('The workbook has no sheet.');
  return sheet.rows;
}

function digestOf(rows: Rows): string {
  const hash = createHash('md5');
  let number = 0;
  for (const row of rows) {
    number += 1;
    for (const [index, column] of tableColumns.entries()) hash.update(`${comparable(row[index], number === 1 ? 'text' : column.kind)}\0`);
  }
  return hash.digest('hex');
}

/** Normalizes a cell, because readers differ: a styled date is a Date in one and a number in the other. */
function comparable(value: unknown, kind: TableColumn['kind']): string {
  if (value === undefined || value === null) return '';
  // A carriage return has to be escaped as `_x000D_` (ECMA-376 part 1, §22.9.2.19). exceljs does not decode the escape, and the peers write
  // an unescaped carriage return, which XML parsers read as a line feed.
  if (kind === 'text') return String(value).replaceAll(/_x000D_\n|\r\n/g, '\n');
  const serial = value instanceof Date ? value.getTime() / 1000 / DAY_SECONDS + SERIAL_OF_EPOCH : Number(value);
  return String(kind === 'number' ? serial : Math.round(serial * DAY_SECONDS));
}
