import type { ChosenColumn } from '../../columns/choose-columns.js';
import type { Row } from '../../row.js';
import type { ByteBuffer } from './byte-buffer.js';
import { cellWriter, writeHeader } from './cells.js';
import { SPREADSHEET, xmlDocument } from './parts.js';
import type { Widths } from './widths.js';

const FROZEN_HEADER =
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A2" sqref="A2"/>';

const ROW = Buffer.from('<row r="');
const ROW_CELLS = Buffer.from('">');
const ROW_END = Buffer.from('</row>');

/** Writes the beginning of a sheet and the header row, which is frozen. */
export function writeHead(columns: readonly ChosenColumn[], widths: Widths, isSelected: boolean, buffer: ByteBuffer): void {
  buffer.text(
    xmlDocument(
      `<worksheet xmlns="${SPREADSHEET}"><sheetViews><sheetView${isSelected ? ' tabSelected="1"' : ''} workbookViewId="0">` +
        `${FROZEN_HEADER}</sheetView></sheetViews>${widths.xml}<sheetData><row r="1">`,
    ),
  );
  columns.forEach(({ header }, index) => writeHeader(header, index, { buffer, number: '1' }));
  buffer.bytes(ROW_END);
}

/** The end of a sheet, after its rows. */
export const SHEET_END = '</sheetData></worksheet>';

/** Compiles the rows of a sheet. */
export function rowWriter(
  columns: readonly ChosenColumn[],
  hasGermanNumbers: boolean,
): (row: Row, number: number, buffer: ByteBuffer) => void {
  const cells = columns.map((column, index) => cellWriter(column, index, hasGermanNumbers));
  return (row, rowNumber, buffer) => {
    const target = { buffer, number: String(rowNumber) };
    buffer.bytes(ROW).text(target.number).bytes(ROW_CELLS);
    for (const write of cells) write(row, target);
    buffer.bytes(ROW_END);
  };
}
