import { parse } from 'csv-parse/sync';
import ExcelJS from 'exceljs';

export const formats = ['csv', 'json', 'table', 'plain', 'xlsx'] as const;

export type Row = Readonly<Record<string, unknown>>;

/** Reads the rows of a file like another program, by column name. @param columns the names, which text formats do not contain */
export function readRows(format: (typeof formats)[number], file: Buffer, columns: readonly string[]): Row[] | Promise<Row[]> {
  switch (format) {
    case 'csv':
      return parse(file, { columns: true });
    case 'json':
      return JSON.parse(file.toString());
    case 'table':
      return readTable(file.toString());
    case 'plain':
      return linesOf(file.toString()).map((line) => rowOf(columns, line.split('\t')));
    case 'xlsx':
      return readWorkbook(file, columns);
  }
}

/** Parses a text table; the line under the header shows where columns begin and end. */
function readTable(text: string): Row[] {
  const [header = '', rule = '', ...lines] = linesOf(text);
  const places = [...rule.matchAll(/-+/g)].map(({ 0: dashes, index }) => [index, index + dashes.length] as const);
  const cellsOf = (line: string) => places.map(([from, to]) => line.slice(from, to).trim());
  return lines.map((line) => rowOf(cellsOf(header), cellsOf(line)));
}

async function readWorkbook(file: Buffer, columns: readonly string[]): Promise<Row[]> {
  const workbook = new ExcelJS.Workbook();
  // exceljs declares the type of older Buffers.
  await workbook.xlsx.load(file as never);
  const rows: Row[] = [];
  workbook.worksheets[0]?.eachRow((row, number) => {
    if (number > 1) rows.push(rowOf(columns, columns.map((column, index) => asPrinted(column, row.getCell(index + 1).value)))); // prettier-ignore
  });
  return rows;
}

/** Converts typed dates and times of a workbook, which the reader interprets as UTC, to text. */
function asPrinted(column: string, value: ExcelJS.CellValue): unknown {
  if (!(value instanceof Date)) return value;
  return value.toISOString().slice(0, column === 'date' ? 10 : 19);
}

function linesOf(text: string): string[] {
  return text.split('\n').slice(0, -1);
}

function rowOf(columns: readonly string[], cells: readonly unknown[]): Row {
  return Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
}
