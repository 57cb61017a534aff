import { readFile } from 'node:fs/promises';
import JSZip from 'jszip';

/** Checks that the XML of the rows below the header of the first sheet equals `rows`. @throws Error if it differs */
export async function assertSheetRows(path: string, rows: string): Promise<void> {
  const archive = await JSZip.loadAsync(await readFile(path));
  const xml = await archive.file('xl/worksheets/sheet1.xml')?.async('string');
  if (xml === undefined) throw new Error('The workbook has no first sheet.');
  const found = xml.slice(xml.indexOf('<row r="2">'), xml.indexOf('</sheetData>'));
  if (found === rows) return;
  const at = [...found].findIndex((character, index) => character !== rows[index]);
  throw new Error(`The floor writes other XML: ${rows.slice(at - 40, at + 40)} instead of ${found.slice(at - 40, at + 40)}`);
}
