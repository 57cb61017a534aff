import type { Section } from '../format.js';
import { BufferPool } from './byte-buffer.js';
import { closingParts, rootRelations, sheetPath, styleSheet } from './parts.js';
import { SheetNames } from './sheet-names.js';
import { sheetPieces } from './sheet-pieces.js';
import { ZipWriter } from './zip-writer.js';

const CHUNK_BYTES = 64 * 1024;

/** Options for writing a workbook. */
export interface WorkbookOptions {
  /** Maximum number of rows of a sheet, including the header. */
  readonly maxRows?: number;
  /** Whether amounts have the German number format. */
  readonly hasGermanNumbers?: boolean;
}

/** Limit of Excel ("Excel specifications and limits"). */
const MAX_ROWS = 1_048_576;

/**
 * Yields a workbook in chunks of about 64 KiB, with a sheet for each section, and additional ones for sections with more rows than fit on a
 * sheet. Only the current chunk is kept in memory. The output is deterministic.
 */
export async function* workbook(sections: readonly Section[], options: WorkbookOptions = {}): AsyncGenerator<Uint8Array, void, undefined> {
  const zip = new ZipWriter();
  try {
    await addPart(zip, '_rels/.rels', rootRelations);
    await addPart(zip, 'xl/styles.xml', styleSheet(options.hasGermanNumbers === true));
    const names = yield* writeSheets(zip, sections, options);
    for (const [path, xml] of closingParts(names)) await addPart(zip, path, xml);
    zip.end();
    yield zip.take();
  } finally {
    zip.destroy();
  }
}

async function addPart(zip: ZipWriter, path: string, xml: string): Promise<void> {
  zip.open(path);
  await zip.write(Buffer.from(xml));
  await zip.close();
}

/** Writes the sheets of all sections. @returns the names of the sheets */
async function* writeSheets(
  zip: ZipWriter,
  sections: readonly Section[],
  { maxRows = MAX_ROWS, hasGermanNumbers = false }: WorkbookOptions,
): AsyncGenerator<Uint8Array, readonly string[], undefined> {
  const sheetNames = new SheetNames(sections.map(({ title }) => title));
  const names: string[] = [];
  const pool = new BufferPool();
  let deflating = pool.take();
  for (const [index, section] of sections.entries()) {
    for await (const { buffer, begins, ends } of sheetPieces(section, { pool, isFirst: index === 0, maxRows, hasGermanNumbers })) {
      if (begins !== null) {
        names.push(begins === 'section' ? sheetNames.first(index) : sheetNames.next(index));
        zip.open(`xl/${sheetPath(String(names.length))}`);
      }
      await zip.write(buffer.view);
      pool.give(deflating);
      deflating = buffer;
      if (ends) await zip.close();
      if (zip.waiting >= CHUNK_BYTES) yield zip.take();
    }
  }
  return names;
}
