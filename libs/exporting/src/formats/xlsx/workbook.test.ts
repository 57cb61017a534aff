import { describe, expect, it } from '@jest/globals';
import { inflateRawSync } from 'node:zlib';
import type { RowRun, Section } from '../format.js';
import { Row } from '../../row.js';
import { anna, sectionOf } from '../../test/fixture.js';
import { BufferPool } from './byte-buffer.js';
import { sheetPieces } from './sheet-pieces.js';
import { workbook } from './workbook.js';

const { columns, types } = sectionOf({ columns: 'last-name|value' });
const [type] = types;

/** Yields rows with the values 1, 2, …, as fast as they are requested. */
function counting(title: string | null, runs: number, rows: number, seen = { runs: 0, closed: false }): Section {
  async function* numbered(): AsyncGenerator<RowRun, void, undefined> {
    try {
      for (let run = 0; run < runs; run += 1) {
        seen.runs += 1;
        yield await Promise.resolve(runOf(run * rows, rows));
      }
    } finally {
      seen.closed = true;
    }
  }
  return { title, columns, runs: numbered() };
}

function runOf(from: number, rows: number): RowRun {
  if (type === undefined) throw new Error('There is no row type.');
  const row = new Row({ staff: anna, department: null, type });
  return (emit) => {
    for (let index = 1; index <= rows; index += 1) {
      row.amount = from + index;
      row.rounded = from + index;
      emit(row);
    }
  };
}

async function bytesOf(sections: readonly Section[], rows?: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of rows === undefined ? workbook(sections) : workbook(sections, { maxRows: rows })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Reads the files of an archive through the directory at its end, and checks that all records agree. */
function filesOf(archive: Buffer): ReadonlyMap<string, string> {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [compressed, size, nameLength, offset] = [archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 24), archive.readUInt16LE(at + 28), archive.readUInt32LE(at + 42)]; // prettier-ignore
    const name = archive.toString('latin1', at + 46, at + 46 + nameLength);
    expect(archive.readUInt32LE(offset)).toBe(0x04034b50);
    const data = offset + 30 + nameLength;
    const content = inflateRawSync(archive.subarray(data, data + compressed));
    expect(content.length).toBe(size);
    // The descriptor repeats checksum and sizes of the directory.
    const descriptor = archive.subarray(data + compressed, data + compressed + 16);
    expect(descriptor.subarray(4)).toEqual(archive.subarray(at + 16, at + 28));
    files.set(name, content.toString());
    at += 46 + nameLength;
  }
  expect(at).toBe(end);
  return files;
}

/** Returns the values of a sheet, and checks its row numbers. */
function valuesOf(xml: string | undefined): readonly number[] {
  const cells = [...(xml ?? '').matchAll(/<row r="(\d+)"><c r="A\1" [^/]+Abel<\/t><\/is><\/c><c r="B\1"><v>(\d+)<\/v><\/c><\/row>/g)];
  cells.forEach((cell, index) => expect(Number(cell[1])).toBe(index + 2));
  return cells.map((cell) => Number(cell[2]));
}

function sheetNamesOf(files: ReadonlyMap<string, string>): readonly string[] {
  return [...(files.get('xl/workbook.xml') ?? '').matchAll(/<sheet name="([^"]*)"/g)].map(([, name = '']) => name);
}

describe('workbook', () => {
  it('continues on further sheets, each with the header row, when a section has too many rows', async () => {
    const files = filesOf(await bytesOf([counting('Zeiten', 3, 4), counting('Zeiten (2)', 1, 1)], 6));
    expect(sheetNamesOf(files)).toEqual(['Zeiten', 'Zeiten (3)', 'Zeiten (4)', 'Zeiten (2)']);
    const sheets = [1, 2, 3, 4].map((number) => files.get(`xl/worksheets/sheet${String(number)}.xml`));
    expect(sheets.map(valuesOf)).toEqual([[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12], [1]]);
    for (const sheet of sheets) expect(sheet).toContain('<c r="B1" s="1" t="inlineStr"><is><t>value</t></is></c></row>');
    expect(sheets.map((sheet) => sheet?.includes('tabSelected'))).toEqual([true, false, false, false]);
  });

  it('adds no sheet without rows', async () => {
    expect(sheetNamesOf(filesOf(await bytesOf([counting(null, 1, 5)], 6)))).toEqual(['Export']);
  });

  it('fills a sheet up to 1,048,576 rows', async () => {
    const files = filesOf(await bytesOf([counting(null, 1024, 1024)]));
    expect(sheetNamesOf(files)).toEqual(['Export', 'Export (2)']);
    expect(files.get('xl/worksheets/sheet1.xml')?.includes('<row r="1048576">')).toBe(true);
    expect(valuesOf(files.get('xl/worksheets/sheet2.xml'))).toEqual([1_048_576]);
  });

  it('lists every file in its content types', async () => {
    const files = filesOf(await bytesOf([counting(null, 1, 1), counting('A & "B"', 1, 1)]));
    const listed = [...(files.get('[Content_Types].xml') ?? '').matchAll(/PartName="\/([^"]+)"/g)].map(([, path]) => path);
    expect([...files.keys()].filter((path) => !/rels$|Types/.test(path)).toSorted()).toEqual(listed.toSorted());
    expect(sheetNamesOf(files)).toEqual(['Export', 'A &amp; &quot;B&quot;']);
    expect(files.get('xl/_rels/workbook.xml.rels')?.match(/Target="([^"]+)"/g)).toHaveLength(3);
  });

  it('writes the rows of one employee piece by piece', async () => {
    const { columns: wide } = sectionOf({ columns: 'value:pad>1000' });
    let written = 0;
    const counted = wide.map((column) => ({ ...column, cell: (row: Row) => ((written += 1), column.cell(row)) }));
    const section = { ...counting(null, 1, 5_000), columns: counted };
    const options = { pool: new BufferPool(), isFirst: true, maxRows: 10_000, hasGermanNumbers: false };
    let rows = 0;
    for await (const { buffer } of sheetPieces(section, options)) {
      if (rows === 0) expect(written).toBeLessThan(2_000);
      rows += Buffer.from(buffer.view).toString().split('<row ').length - 1;
    }
    expect(rows).toBe(5_001);
  });

  it('is streamed in chunks of about 64 KiB while rows are still being produced', async () => {
    const seen = { runs: 0, closed: false };
    const sizes: number[] = [];
    let seenAtFirst = 0;
    for await (const chunk of workbook([counting(null, 400, 365, seen)])) {
      if (sizes.length === 0) seenAtFirst = seen.runs;
      sizes.push(chunk.length);
    }
    expect(seenAtFirst).toBeLessThan(200);
    for (const size of sizes.slice(0, -1)) expect(Math.abs(size - 65_536 * 1.1)).toBeLessThan(65_536 * 0.2);
  });

  it('stops producing rows when its reader leaves', async () => {
    const seen = { runs: 0, closed: false };
    for await (const chunk of workbook([counting(null, 10_000, 365, seen)])) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect([seen.closed, seen.runs < 1000]).toEqual([true, true]);
  });

  it('reads a section only when it is reached', async () => {
    const seen = { runs: 0, closed: false };
    const chunks = workbook([counting('A', 400, 365), counting('B', 1, 1, seen)]);
    await chunks.next();
    expect(seen.runs).toBe(0);
    await chunks.return();
    expect(seen.closed).toBe(false);
  });

  it('fails when producing rows fails', async () => {
    async function* broken(): AsyncGenerator<RowRun, void, undefined> {
      yield await Promise.resolve(runOf(0, 10));
      throw new Error('unavailable');
    }
    await expect(bytesOf([{ title: null, columns, runs: broken() }])).rejects.toThrow('unavailable');
  });

  it('yields to other tasks while rows keep coming', async () => {
    const seen = { runs: 0, closed: false };
    let [before, longest] = [0, 0];
    const look = (): void => {
      longest = Math.max(longest, seen.runs - before);
      before = seen.runs;
      if (!seen.closed) setImmediate(look);
    };
    setImmediate(look);
    await bytesOf([counting(null, 1000, 365, seen)]);
    // Counted, not timed, because the machine may be busy: if it were built in one piece, all thousand would remain.
    expect(longest).toBeLessThan(20);
  });
});
