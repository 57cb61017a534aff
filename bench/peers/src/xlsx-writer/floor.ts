import { createDeflateRaw, type DeflateRaw } from 'node:zlib';
import { exportSection, formatOf } from '@stechuhr/bench/data/export-section.js';
import { employeesOf } from '@stechuhr/bench/data/table.js';
import { withFile } from '@stechuhr/bench/data/file-sink.js';
import type { Run } from '@stechuhr/bench/harness/types.js';
import { sheetRow } from './sheet-rows.js';
import { rowsOf } from './workbook-file.js';

const CHUNK_LENGTH = 1024 * 1024;

/** What no writer can do without: the same XML as strings, deflated at the same level; never both at a time, and no file of it. */
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

/** The digest of the workbook whose XML this floor claims to be. */
function digestOfOurs(rows: number, xml: string): Promise<string> {
  return withFile(
    async ({ put }) => {
      for await (const chunk of formatOf('xlsx').write([exportSection(rows)])) await put(chunk);
    },
    async (path) => {
      const [{ cellsDigest }, { oursHasRows }] = await Promise.all([import('./cells-digest.js'), import('./inflated-rows.js')]);
      await oursHasRows(path, xml);
      return cellsDigest(path);
    },
  );
}
