import { tableColumns, type TableRow } from '@stechuhr/bench/data/table.js';

const SPECIAL = /[&<>\r\n]/;
const STYLES = { day: ' s="2"', moment: ' s="3"', number: '', text: '' };

const letters = tableColumns.map((_, index) => String.fromCharCode(65 + index));

/** Returns the XML of a row, built by plain string concatenation. It equals the XML of libs/exporting. */
export function sheetRow({ serials }: TableRow, number: string): string {
  let xml = `<row r="${number}">`;
  for (let index = 0; index < serials.length; index += 1) xml += cellXml(serials[index] ?? '', index, number);
  return `${xml}</row>`;
}

function cellXml(value: string | number, index: number, number: string): string {
  if (value === '') return '';
  const reference = `<c r="${letters[index] ?? ''}${number}"`;
  if (typeof value === 'string') return `${reference} t="inlineStr"><is>${textXml(value)}</is></c>`;
  return `${reference}${STYLES[tableColumns[index]?.kind ?? 'text']}><v>${value}</v></c>`;
}

function textXml(text: string): string {
  if (!SPECIAL.test(text)) return `<t>${text}</t>`;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '_x000D_');
  return `<t${text.includes('\n') ? ' xml:space="preserve"' : ''}>${escaped}</t>`;
}
