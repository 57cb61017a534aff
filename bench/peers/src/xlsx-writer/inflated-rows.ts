import { readFile } from 'node:fs/promises';
import JSZip from 'jszip';

/** Throws unless the first sheet of a workbook has these rows below its header, byte by byte. */
export async function oursHasRows(path: string, rows: string): Promise<void> {
  const archive = await JSZip.loadAsync(await readFile(path));
  const xml = await archive.file('xl/worksheets/sheet1.xml')?.async('string');
  if (xml === undefined) throw new Error('The workbook has no first sheet.');
  const found = xml.slice(xml.indexOf('<row r="2">'), xml.indexOf('</sheetData>'));
  if (found === rows) return;
  const at = [...found].findIndex((character, index) => character !== rows[index]);
  throw new Error(`The floor writes other XML: ${rows.slice(at - 40, at + 40)} instead of ${found.slice(at - 40, at + 40)}`);
}
