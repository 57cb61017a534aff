import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { anna, annasWeek, chunksOf, directory } from '../../test/fixture.js';

const soffice = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'soffice'))
  .find((path) => existsSync(path));

/** CSV filter options: comma, quotes, UTF-8, from line 1, cells as displayed, all sheets. */
const CSV = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1';

/** Opens a workbook with LibreOffice and returns what it displays on a sheet. */
async function shown(program: string, workbook: Buffer, sheet: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'workbook-'));
  try {
    await writeFile(join(folder, 'file.xlsx'), workbook);
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    await promisify(execFile)(program, [profile, '--headless', '--convert-to', CSV, '--outdir', folder, join(folder, 'file.xlsx')]);
    return (await readFile(join(folder, `file-${sheet}.csv`), 'utf8')).trimEnd().split('\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('LibreOffice', () => {
  const test = soffice === undefined ? it.skip : it;

  test('opens a workbook and shows its cells', async () => {
    const parameters = {
      export_format: 'xlsx',
      types: 'workday:hours',
      columns: 'last-name|date|start|start-time|value|value:negate:as>minus|comment|value:hhmm:as>_x0041_',
      config: JSON.stringify([{ title: 'März/April' }, { types: ['timespan:hours'], columns: ['comment', 'value'] }]),
    };
    const run = {
      exporter: 'multi',
      directory: { ...directory, staff: [{ ...anna, lastName: ' Ä<b>&\n"x"_x0041_ ' }] },
      records: [annasWeek],
    };
    const workbook = Buffer.concat(await chunksOf(parameters, run));
    const [header, ...lines] = await shown(soffice ?? '', workbook, 'März_April');
    expect(header).toBe('last-name,date,start,start-time,value,minus,comment,_x0041_');
    // Versions of LibreOffice differ in whether they display seconds.
    expect(lines.slice(0, 4).map((line) => line.replace(/,(\d\d:\d\d):00,/, ',$1,'))).toEqual([
      '" Ä<b>&',
      '""x""_x0041_ ",31.03.2026,31.03.2026 22:00:00,22:00,2,-2,,2:00',
      '" Ä<b>&',
      '""x""_x0041_ ",01.04.2026,01.04.2026 07:00:00,07:00,8,-8,,8:00',
    ]);
    expect(await shown(soffice ?? '', workbook, 'Export')).toEqual(['comment,value', '"Mauern, ""EG""",5', '=1+1,3']);
  });
});
