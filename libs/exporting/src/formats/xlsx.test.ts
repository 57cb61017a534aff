import { describe, expect, it } from '@jest/globals';
import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { contentType, fileName } from '../request/export-request.js';
import { parseExportRequest } from '../request/parse-request.js';
import { absence, anna, annasWeek, bernd, chunksOf, day, directory, EASTER, errorsOf, member, records, type Run } from '../test/fixture.js';

const xlsx = { export_format: 'xlsx' };

async function bytesOf(parameters: Record<string, string>, run: Run = {}): Promise<Buffer> {
  return Buffer.concat(await chunksOf({ ...xlsx, ...parameters }, run));
}

/** Reads the workbook with an independent library. */
async function read(parameters: Record<string, string>, run: Run = {}): Promise<ExcelJS.Workbook> {
  const workbook = new ExcelJS.Workbook();
  // The type of its argument is that of older Buffers.
  await workbook.xlsx.load((await bytesOf(parameters, run)) as never);
  return workbook;
}

function sheetOf(workbook: ExcelJS.Workbook, index = 0): ExcelJS.Worksheet {
  const sheet = workbook.worksheets[index];
  if (sheet === undefined) throw new Error('There is no such sheet.');
  return sheet;
}

/** The values of a sheet by rows, without the header; null for empty cells. */
function valuesOf(sheet: ExcelJS.Worksheet): readonly ExcelJS.CellValue[][] {
  const width = sheet.getRow(1).cellCount;
  return Array.from({ length: sheet.rowCount - 1 }, (_, index) =>
    Array.from({ length: width }, (_unused, column) => sheet.getRow(index + 2).getCell(column + 1).value),
  );
}

function utc(text: string): Date {
  return new Date(`${text}Z`);
}

describe('cells', () => {
  it('are numbers, dates, local times and texts', async () => {
    const columns = 'last-name|value|date|start|end|start-time|break|week|comment|period-start';
    const sheet = sheetOf(await read({ types: 'workday:hours', columns }));
    expect(sheet.getRow(1).values).toEqual([undefined, ...columns.split('|')]);
    expect(valuesOf(sheet)).toEqual([
      ['Abel', 2, utc('2026-03-31T00:00'), utc('2026-03-31T22:00'), utc('2026-04-01T02:00'), utc('1899-12-30T22:00'), 0, 14, null, utc('2026-04-01T00:00')], // prettier-ignore
      ['Abel', 8, utc('2026-04-01T00:00'), utc('2026-04-01T07:00'), utc('2026-04-01T15:45'), utc('1899-12-30T07:00'), 0.75, 14, null, utc('2026-04-01T00:00')], // prettier-ignore
      ['Abel', 8, utc('2026-04-02T00:00'), utc('2026-04-02T22:00'), utc('2026-04-03T06:30'), utc('1899-12-30T22:00'), 0.5, 14, null, utc('2026-04-01T00:00')], // prettier-ignore
      ['Abel', 4.01, utc('2026-04-04T00:00'), utc('2026-04-04T08:00'), utc('2026-04-04T12:00:20'), utc('1899-12-30T08:00'), 0, 14, null, utc('2026-04-01T00:00')], // prettier-ignore
    ]);
    expect(['C2', 'D2', 'F2', 'B2'].map((cell) => sheet.getCell(cell).numFmt)).toEqual([
      '[$-407]dd.mm.yyyy',
      '[$-407]dd.mm.yyyy hh:mm:ss',
      '[$-407]hh:mm',
      undefined,
    ]);
  });

  it('have German headers and number formats if requested', async () => {
    const columns = 'last-name|value|value:round>0:as>gerundet|break|week|value:hhmm:as>Dauer|date';
    const parameters = { types: 'workday:hours', columns, export_format: 'xlsx:header>de:numbers>de' };
    const sheet = sheetOf(await read(parameters));
    const titles = ['Nachname', 'Wert', 'gerundet', 'Pause', 'Kalenderwoche', 'Dauer', 'Datum'];
    expect(sheet.getRow(1).values).toEqual([undefined, ...titles]);
    expect(valuesOf(sheet)[1]).toEqual(['Abel', 8, 8, 0.75, 14, '8:00', utc('2026-04-01T00:00')]);
    expect(['B3', 'C3', 'D3', 'E3', 'F3', 'G3'].map((cell) => sheet.getCell(cell).numFmt)).toEqual([
      '[$-407]#,##0.00',
      '[$-407]#,##0',
      '[$-407]#,##0.00',
      undefined,
      undefined,
      '[$-407]dd.mm.yyyy',
    ]);
    const half = sheetOf(await read({ ...parameters, export_format: 'xlsx:numbers>de' }));
    expect([half.getCell('A1').value, half.getCell('B3').numFmt]).toEqual(['last-name', '[$-407]#,##0.00']);
  });

  it('are unchanged with the default options', async () => {
    const parameters = { types: 'workday:hours', columns: 'last-name|value' };
    const explicit = await bytesOf({ ...parameters, export_format: 'xlsx:header>ids:numbers>plain' });
    expect(explicit.equals(await bytesOf(parameters))).toBe(true);
    expect(errorsOf({ export_format: 'xlsx:header>en', response_only: 'true' })).toEqual({
      export_format: ['Option "header" needs "ids" or "de".'],
    });
  });

  it('are texts if a modifier converted them to text, and numbers otherwise', async () => {
    const columns =
      'value:negate|value:fixed>2:as>a|value:comma:as>b|value:hhmm:as>c|value:minutes:as>d|value:pad>6:as>e|date:date>de|start:format>HH%3Amm|date:upper:as>f';
    const sheet = sheetOf(await read({ types: 'workday:hours', columns, daterange: '2026-04-04|2026-04-04' }));
    expect(valuesOf(sheet)).toEqual([[-4.01, '4.01', '4,01', '4:00', 240.33, '004.01', '04.04.2026', '08:00', '2026-04-04']]);
  });

  it('are omitted if they are empty', async () => {
    const sheet = sheetOf(await read({ types: 'project:hours', columns: 'project-code|date|value|week' }));
    expect(valuesOf(sheet)).toEqual([
      [null, null, 17.01, null],
      ['P-100', null, 5, null],
    ]);
  });

  it('are never formulas and need no apostrophe', async () => {
    const sheet = sheetOf(await read({ columns: 'last-name' }, { directory: { ...directory, staff: [{ ...anna, lastName: '=1+1' }] } }));
    expect([sheet.getCell('A2').value, sheet.getCell('A2').type]).toEqual(['=1+1', ExcelJS.ValueType.String]);
  });

  it('are texts for dates that spreadsheets do not support', async () => {
    const sheet = sheetOf(await read({ columns: 'period-start|period-end', daterange: '1900-02-28|1900-03-01', skip_zero_rows: 'false' }));
    expect(valuesOf(sheet)[0]).toEqual(['1900-02-28', utc('1900-03-01T00:00')]);
  });

  it('show local times on both sides of a change of clocks', async () => {
    const shift = {
      id: 'x',
      date: day('2026-10-24'),
      startedAt: Date.UTC(2026, 9, 24, 21) / 1000,
      endedAt: Date.UTC(2026, 9, 25, 5) / 1000,
    };
    const run = { records: [records(anna.id, { workdays: [{ ...shift, timespans: [] }] })] };
    const sheet = sheetOf(await read({ daterange: '2026-10-24|2026-10-25', types: 'workday:hours', columns: 'start|end|value' }, run));
    expect(valuesOf(sheet)).toEqual([[utc('2026-10-24T23:00'), utc('2026-10-25T06:00'), 8]]);
  });

  it('contain at most 32,767 characters, never half a character', async () => {
    const lastName = 'ä'.repeat(32_766) + '😀';
    const run = { directory: { ...directory, staff: [{ ...anna, lastName, firstName: 'x'.repeat(32_768) }] } };
    const sheet = sheetOf(await read({ columns: 'last-name|first-name' }, run));
    expect(valuesOf(sheet)).toEqual([['ä'.repeat(32_766), 'x'.repeat(32_767)]]);
  });

  it('preserve any text', async () => {
    const unit = fc.constantFrom('a', 'ü', '😀', '&', '<', '>', '"', "'", ' ', '\t', '\n', '\r', '\0', '\x1f', '\uFFFE', '_x0041_', '_x00e4_', '_', ']]>'); // prettier-ignore
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit, minLength: 1 }), { minLength: 1, maxLength: 8 }), async (names) => {
        const staff = names.map((lastName, index) => member({ id: `staff-${String(index)}`, lastName }));
        const run = { directory: { ...directory, staff }, records: staff.map(({ id }) => records(id)) };
        const sheet = sheetOf(await read({ columns: 'last-name|last-name:as>%3Ca%3E', skip_zero_rows: 'false' }, run));
        expect(sheet.getCell('B1').value).toBe('<a>');
        expect(valuesOf(sheet).map((row) => row.map(unescaped))).toEqual(names.map((name) => [name, name]));
      }),
      { numRuns: 30 },
    );
  });
});

/** Decodes `_xHHHH_` like spreadsheets; the library of these tests does not. */
function unescaped(value: ExcelJS.CellValue): ExcelJS.CellValue {
  if (typeof value !== 'string') return value;
  return value.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

describe('a sheet', () => {
  it('has a header row that is bold and frozen', async () => {
    const sheet = sheetOf(await read({ columns: 'last-name|value' }));
    expect(sheet.getCell('B1').font).toMatchObject({ bold: true });
    expect(sheet.getCell('B2').style).not.toMatchObject({ font: { bold: true } });
    expect(sheet.views).toMatchObject([{ state: 'frozen', ySplit: 1 }]);
  });

  it('has columns as wide as their headers and first cells', async () => {
    const run = { directory: { ...directory, staff: [{ ...anna, lastName: 'x'.repeat(200), firstName: 'Anna-Katharina' }] } };
    const sheet = sheetOf(await read({ types: 'workday:hours', columns: 'week|first-name|last-name|start|project-cost-center' }, run));
    expect([1, 2, 3, 4, 5].map((column) => sheet.getColumn(column).width)).toEqual([8, 16, 60, 21, 21]);
  });

  it('exists even without rows', async () => {
    const sheet = sheetOf(await read({ columns: 'last-name|value' }, { records: [] }));
    expect([sheet.name, sheet.rowCount, sheet.getRow(1).values]).toEqual(['Export', 1, [undefined, 'last-name', 'value']]);
  });

  it('has columns beyond Z', async () => {
    const columns = Array.from({ length: 60 }, (_, index) => `value:as>c${String(index)}`).join('|');
    const sheet = sheetOf(await read({ columns }));
    expect([sheet.getCell('AA1').value, sheet.getCell('BH1').value, sheet.getCell('BH2').value]).toEqual(['c26', 'c59', 40.01]);
  });
});

describe('a workbook', () => {
  const all = {
    types:
      'credit-time:hours|balance:hours|night-time:hours|absence:days|daily:hours|workday:hours|timespan:hours|project:hours|absence-day:days',
    columns:
      'full-name|type|unit|value|date|weekday|week|start|end|start-time|end-time|break|project-code|comment|absence-label|period-end|value:hhmm:as>hm',
    skip_zero_rows: 'false',
  };
  const run = { records: [annasWeek, records(bernd.id, { absences: [absence({})] })] };

  it('has the same content as the csv file, cell by cell', async () => {
    const lines = Buffer.concat(await chunksOf({ ...all, export_format: 'csv:quote>none:formulas>raw:delimiter>%09' }, run)).toString();
    const sheet = sheetOf(await read(all, run));
    const headers = all.columns.split('|').map((column) => column.split(':as>').pop() ?? column);
    const printed = valuesOf(sheet).map((row) => row.map((value, index) => print(value, headers[index] ?? '')).join('\t'));
    expect([headers.join('\t'), ...printed, ''].join('\r\n')).toBe(lines);
  });

  it('is identical for identical rows', async () => {
    const [first, second] = [await bytesOf(all, run), await bytesOf(all, run)];
    expect(first.equals(second)).toBe(true);
  });

  it('is only available as a raw file, without prefix and unknown options', () => {
    const parameters = { daterange: EASTER, ...xlsx, response_only: 'true' };
    const request = parseExportRequest('generic', parameters, directory);
    expect([contentType(request), fileName(request)]).toEqual([
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'generic-2026-04-01-2026-04-07.xlsx',
    ]);
    expect(errorsOf({ export_format: 'xlsx:widths', prefix: 'QUJD' })).toEqual({
      export_format: ['Option "widths" is not a valid choice.', '"xlsx" needs response_only=true.'],
      prefix: ['Only the formats csv, plain and table take a prefix.'],
    });
  });
});

function print(value: ExcelJS.CellValue, header: string): string {
  if (value === null) return '';
  if (!(value instanceof Date)) return String(value);
  const text = value.toISOString();
  if (header.endsWith('-time')) return text.slice(11, 16);
  return header === 'start' || header === 'end' ? text.slice(0, 19) : text.slice(0, 10);
}
