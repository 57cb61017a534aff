import { describe, expect, it } from '@jest/globals';
import { formatLocalDate } from '@stechuhr/worktime';
import type { StaffRecords } from './directory.js';
import { parseExportRequest } from './request/parse-request.js';
import type { Row } from './row.js';
import {
  anna,
  annasWeek,
  bernd,
  bodyOf,
  chunksOf,
  day,
  directory,
  EASTER,
  id,
  linesOf,
  member,
  records,
  shift,
  span,
  streamOf,
} from './test/fixture.js';
import { writeExport } from './write-export.js';

const work = { types: 'work-time:hours', columns: 'last-name|value' };
const echo = {
  is_async: false,
  skip_zero_rows: true,
  exporter: 'generic',
  export_format: 'csv',
  daterange: ['2026-04-01', '2026-04-07'],
  employee_ids: null,
  types: ['work-time:hours'],
  columns: ['last-name', 'value'],
  response_only: false,
  prefix: null,
  filter: null,
};

describe('the envelope', () => {
  it('contains text formats as a string', async () => {
    const body = await bodyOf({ ...work, response_only: '' });
    expect(JSON.parse(body)).toEqual({ request: echo, response: 'last-name,value\r\nAbel,22.01\r\n' });
    expect(body.startsWith('{"request":{"is_async":false,"skip_zero_rows":true,"exporter":"generic","export_format":"csv",')).toBe(true);
  });

  it('contains json as an array', async () => {
    const body = await bodyOf({ ...work, response_only: 'false', export_format: 'json' });
    expect(JSON.parse(body)).toEqual({ request: { ...echo, export_format: 'json' }, response: [{ 'last-name': 'Abel', value: 22.01 }] });
  });

  it('contains prefix and byte order mark, and is always UTF-8', async () => {
    const prefix = Buffer.from('# "März"\n').toString('base64');
    const withMark = await bodyOf({ ...work, response_only: '0', export_format: 'csv:bom', prefix });
    expect(JSON.parse(withMark)).toMatchObject({ response: '\uFEFF# "März"\nlast-name,value\r\nAbel,22.01\r\n' });
    const windows = await bodyOf({ ...work, response_only: '0', export_format: 'csv:encoding>windows-1252', prefix });
    expect(JSON.parse(windows)).toMatchObject({ response: '# "März"\nlast-name,value\r\nAbel,22.01\r\n' });
  });
});

describe('the prefix', () => {
  it('follows the byte order mark and precedes the header, without an additional line break', async () => {
    const prefix = Buffer.from('sep=,\r\n').toString('base64');
    expect(await bodyOf({ ...work, export_format: 'csv:bom', prefix })).toBe('\uFEFFsep=,\r\nlast-name,value\r\nAbel,22.01\r\n');
  });

  it('is encoded like the file', async () => {
    const prefix = Buffer.from('Löhne €\n').toString('base64');
    const [chunk] = await chunksOf({ ...work, export_format: 'csv:encoding>windows-1252', prefix });
    expect(chunk?.toString('latin1')).toBe('L\xf6hne \x80\nlast-name,value\r\nAbel,22.01\r\n');
  });
});

describe('writeExport', () => {
  const staff = Array.from({ length: 400 }, (_, index) => member({ id: id(1000 + index), number: String(index) }));
  const many = { ...directory, staff };

  function job(stream: AsyncIterable<StaffRecords>, more: Record<string, string> = {}): Parameters<typeof writeExport>[0] {
    const parameters = {
      daterange: '2026-01-01|2026-12-31',
      types: 'daily:hours',
      skip_zero_rows: 'false',
      response_only: 'true',
      ...more,
    };
    return { request: parseExportRequest('generic', parameters, many), directory: many, sources: [{ staff, records: stream }] };
  }

  it('counts the written rows', async () => {
    const stats = { rows: 0 };
    await bodyOf({ types: 'daily:hours|absence:days' }, { stats });
    // Four days with work and one row of absences.
    expect(stats).toEqual({ rows: 5 });
  });

  it('yields chunks of about 64 KiB while employees are still being read', async () => {
    let read = 0;
    async function* stream(): AsyncGenerator<StaffRecords, void, undefined> {
      for await (const member of streamOf(staff)) {
        read += 1;
        yield records(member.id);
      }
    }
    const sizes: number[] = [];
    let readAtFirst = 0;
    for await (const chunk of writeExport(job(stream()))) {
      if (sizes.length === 0) readAtFirst = read;
      sizes.push(chunk.length);
    }
    expect(readAtFirst).toBeLessThan(10);
    expect(sizes.length).toBeGreaterThan(30);
    for (const size of sizes.slice(0, -1)) expect(Math.abs(size - 65_536)).toBeLessThan(1000);
  });

  it.each(['csv', 'table'])('yields small chunks of a %s file, however long its rows are', async (format) => {
    const comment = 'x'.repeat(32_000);
    const spans = [span('work', '2026-04-01T07:00', '2026-04-01T08:00', { comment })];
    const columns = Array.from({ length: 200 }, (_, index) => `comment:as>c${String(index)}`).join('|');
    const run = { records: [records(anna.id, { workdays: [shift(401, '2026-04-01T07:00', '2026-04-01T08:00', spans)] })] };
    const chunks = await chunksOf({ types: 'timespan:hours', columns, export_format: format, response_only: 'true' }, run);
    expect(Buffer.concat(chunks).length).toBeGreaterThan(4_000_000);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(1_048_576);
  });

  it.each(['csv', 'json', 'plain', 'table'])('formats the rows of one employee as the reader takes a %s file', async (format) => {
    // 365 rows of 50 kB each.
    const columns = Array.from({ length: 50 }, (_, index) => `date:pad>1000:as>c${String(index)}`).join('|');
    const one = job(streamOf([records(staff[0]?.id ?? '')]), { columns, export_format: format });
    let formatted = 0;
    const sections = one.request.sections.map((section) => ({
      ...section,
      columns: section.columns.map((column) => ({ ...column, cell: (row: Row) => ((formatted += 1), column.cell(row)) })),
    }));
    const chunks = writeExport({ ...one, request: { ...one.request, sections } });
    const first = await chunks.next();
    expect(formatted).toBeLessThan((365 * 50) / 2);
    const rest = await Array.fromAsync(chunks);
    const dates = Buffer.concat([first.value ?? Buffer.alloc(0), ...rest]).toString().match(/2026-\d\d-\d\d/g); // prettier-ignore
    const days = Array.from({ length: 365 }, (_, index) => formatLocalDate(day('2026-01-01') + index));
    expect(dates).toEqual(days.flatMap((date) => Array.from({ length: 50 }, () => date)));
  });

  it('stops reading records when the reader leaves', async () => {
    let read = 0;
    let isClosed = false;
    async function* stream(): AsyncGenerator<StaffRecords, void, undefined> {
      try {
        for await (const member of streamOf(staff)) {
          read += 1;
          yield records(member.id);
        }
      } finally {
        isClosed = true;
      }
    }
    for await (const chunk of writeExport(job(stream()))) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(isClosed).toBe(true);
    expect(read).toBeLessThan(10);
  });

  it('yields to other tasks while records keep coming', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    // All records are available at once: without breaks no timer would fire.
    async function* endless(): AsyncGenerator<StaffRecords, void, undefined> {
      for (let read = 0; turns < 3 && read < 200_000; read += 1) yield records(staff[0]?.id ?? '');
    }
    for await (const chunk of writeExport(job(endless()))) expect(chunk.length).toBeGreaterThan(0);
    clearInterval(timer);
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  it('fails when reading records fails', async () => {
    async function* broken(): AsyncGenerator<StaffRecords, void, undefined> {
      yield await Promise.resolve(annasWeek);
      throw new Error('unavailable');
    }
    await expect(writeExport(job(broken())).next()).rejects.toThrow('unavailable');
  });

  it('skips records of employees who are not selected', async () => {
    expect(await linesOf({ ...work, employee_ids: anna.id }, { records: [annasWeek, { ...annasWeek, employeeId: bernd.id }] })).toEqual([
      'Abel,22.01',
    ]);
  });

  it('composes letters with combining marks, which macOS writes, if the encoding has the composed letter', async () => {
    const comment = 'Ko\u0308ln\u037E=1';
    const workday = shift(1, '2026-04-01T07:00', '2026-04-01T08:00', [span('work', '2026-04-01T07:00', '2026-04-01T08:00', { comment })]);
    const run = {
      directory: { ...directory, staff: [{ ...anna, lastName: 'Mu\u0308ller' }] },
      records: [records(anna.id, { workdays: [workday] })],
    };
    const parameters = { types: 'timespan:hours', columns: 'last-name|comment|value' };
    const windows = await chunksOf({ ...parameters, export_format: 'csv:encoding>windows-1252' }, run);
    // U+037E is the Greek question mark; NFC turns it into a semicolon, after which a spreadsheet could see a formula.
    expect(Buffer.concat(windows).toString('latin1')).toBe("last-name,comment,value\r\nM\xfcller,K\xf6ln;'=1,1\r\n");
    expect(await bodyOf(parameters, run)).toBe('last-name,comment,value\r\nMu\u0308ller,Ko\u0308ln\u037E=1,1\r\n');
  });

  it('composes letters of the request that the encoding has only composed', async () => {
    const [ue, ae] = ['u\u0308', 'a\u0308'];
    const config = JSON.stringify([
      { title: `B${ue}ro`, columns: [`last-name:as>Name f${ue}r Lohn`, `email:default>f${ae}llt aus:as>E`], types: ['balance:hours'] },
    ]);
    const parameters = { export_format: 'csv:encoding>windows-1252', config, prefix: Buffer.from(`M${ae}rz\n`).toString('base64') };
    const run = { exporter: 'multi', directory: { ...directory, staff: [bernd] }, records: [records(bernd.id)] };
    const body = Buffer.concat(await chunksOf({ ...parameters, skip_zero_rows: 'false' }, run)).toString('latin1');
    expect(body).toBe('März\nBüro\r\nName für Lohn,E\r\nÇelik,fällt aus\r\n');
  });

  it('aborts at a comment that cannot be encoded', async () => {
    const workday = shift(1, '2026-04-01T07:00', '2026-04-01T08:00', [
      span('work', '2026-04-01T07:00', '2026-04-01T08:00', { comment: 'Łódź' }),
    ]);
    const parameters = { types: 'timespan:hours', columns: 'last-name|comment', export_format: 'csv:encoding>windows-1252' };
    await expect(bodyOf(parameters, { records: [records(anna.id, { workdays: [workday] })] })).rejects.toMatchObject({
      code: 'invalid',
      details: { export_format: ['"Łódź" (comment of employee 0042) has characters that windows-1252 cannot encode.'] },
    });
  });

  it('does not depend on the order of workdays', async () => {
    const reversed = { ...annasWeek, workdays: annasWeek.workdays.toReversed() };
    const parameters = {
      types: 'workday:hours|timespan:hours|daily:hours|balance:hours',
      columns: 'type|date|start|value',
      daterange: EASTER,
    };
    expect(await bodyOf(parameters, { records: [reversed] })).toBe(await bodyOf(parameters));
  });
});
