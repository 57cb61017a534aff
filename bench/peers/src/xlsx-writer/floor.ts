import { createDeflateRaw, type DeflateRaw } from 'node:zlib';
import { exportSection, formatOf } from '@stechuhr/bench/data/export-section.js';
import { employeesOf } from '@stechuhr/bench/data/table.js';
import { withFile } from '@stechuhr/bench/data/file-sink.js';
import type { Run } from '@stechuhr/bench/harness/types.js';
import { sheetRow } from './sheet-rows.js';
import { rowsOf } from './workbook-file.js';

const CHUNK_LENGTH = 1024 * 1024;

/**
 * The work that no writer can avoid: building the same XML as strings, and deflating it at the same level. Both are done alternately, not
 * concurrently, and no file is written.
 */
export const run: Run = async (input) => {
  const rows = rowsOf(input);
  const checked: string[] = [];
  const deflate = createDeflateRaw({ level: 1, chunkSize: CHUNK_LENGTH });
  deflate.resume();
  let xmlMs = 0;
  let deflateMs = 0;
  let startedAt = performance.now();
  for (const xml of chunksOf(rows)) {
    const bytes = Buffer.from(xml);
    xmlMs += performance.now() - startedAt;
    if (input.checking) checked.push(xml);
    startedAt = performance.now();
    await deflated(deflate, bytes);
    deflateMs += performance.now() - startedAt;
    startedAt = performance.now();
  }
  const values = { wallMs: xmlMs + deflateMs, xmlMs, deflateMs };
  return input.checking ? { digest: await digestOfOurs(rows, checked.join('')), values } : { values };
};

function* chunksOf(rows: number): Generator<string, void, undefined> {
  let xml = '';
  let number = 1;
  for (const employee of employeesOf(rows)) {
    for (const row of employee) {
      xml += sheetRow(row, String((number += 1)));
      if (xml.length < CHUNK_LENGTH) continue;
      yield xml;
      xml = '';
    }
  }
  yield xml;
}

function deflated(deflate: DeflateRaw, xml: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    deflate.write(xml, (error) => (error ? reject(error) : resolve()));
  });
}

/** Returns the digest of our workbook, after checking that its XML equals the XML of the floor. */
function digestOfOurs(rows: number, xml: string): Promise<string> {
  return withFile(
    async ({ put }) => {
      for await (const chunk of formatOf('xlsx').write([exportSection(rows)])) await put(chunk);
    },
    async (path) => {
      const [{ cellsDigest }, { assertSheetRows }] = await Promise.all([import('./cells-digest.js'), import('./inflated-rows.js')]);
      await assertSheetRows(path, xml);
      return cellsDigest(path);
    },
  );
}
