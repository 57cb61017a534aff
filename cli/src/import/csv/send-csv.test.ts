import { describe, expect, it } from '@jest/globals';
import { uuidV5 } from '@stechuhr/kernel';
import type { RejectedLine } from '../result.js';
import type { ImportSession } from '../session.js';
import type { Directory } from './directory.js';
import { readMapping } from './mapping.js';
import { inColumns, readingOf, sendCsv } from './send-csv.js';

const INSTITUTION = '5b7e0000-0000-4000-8000-000000000001';
const employee = (id: string, number: string) => ({
  id,
  fields: {
    account_id: 'a',
    number,
    first_name: 'Eva',
    last_name: 'Holzner',
    hired_on: '2020-03-01',
    custom_fields: { crew: '1' },
    entitlements: ['e'],
  },
});
const [eva, twin, other] = [employee('e1', '1002'), employee('e2', '7'), employee('e3', '7')];
const directory: Directory = {
  employeeIds: new Set(['e1', 'e2', 'e3']),
  employeesByNumber: new Map([
    ['1002', [eva]],
    ['7', [twin, other]],
  ]),
  employeesByAccountingNumber: new Map([['2', [eva]]]),
  departments: new Map([['Hochbau', [{ id: 'd1' }]]]),
  projects: new Map([['B-1', [{ id: 'p1' }]]]),
};

const hours = { kind: 'workday', columns: { employee_number: 'Nr', date: 'Tag', duration: 'Std', break: 'Pause', project: 'Bau' } };
const times = { kind: 'workday', columns: { employee_number: 'Nr', date: 'Tag', begin: 'Von', end: 'Bis' } };
const staff = {
  kind: 'employee',
  columns: { number: 'Nr', last_name: 'Name', department: 'Abt', left_on: 'Ende', custom_fields: { position: 'Rolle' } },
};

/** The result of sending the rows of files that are read in chunks of the given size. */
async function send(mapping: object, files: readonly (string | Buffer)[], { piece = 7, stored = directory } = {}) {
  const read = readMapping(JSON.stringify({ institution_id: INSTITUTION, ...mapping }));
  if (!('kind' in read)) throw new Error(read.join());
  const sent: { readonly line: number; readonly record: Record<string, unknown> }[] = [];
  const rejected: RejectedLine[] = [];
  const session: ImportSession = {
    send: (_owner, { line, json }) => void sent.push({ line, record: JSON.parse(json) as Record<string, unknown> }),
    reject: (line) => void rejected.push(line),
    finish: () => Promise.reject(new Error('not asked for')),
    close: () => undefined,
  };
  const reading = readingOf(read, stored);
  for (const [index, file] of files.entries()) {
    const bytes = Buffer.from(file);
    const open = async function* () {
      for (let at = 0; at < bytes.length; at += piece) yield await Promise.resolve(bytes.subarray(at, at + piece));
    };
    await sendCsv(session, { name: `${'ab'.charAt(index)}.csv`, bytes: bytes.length, open }, reading, () => undefined);
  }
  return { sent, rejected: rejected.map(({ line, reason }) => [line, reason]) };
}

describe('rows of a file', () => {
  it('may be Windows-1252, have cells over several lines, quotation marks inside, blank lines, and be empty', async () => {
    const text = 'Nr;Name;Abt;Ende;Rolle\r\n\r\n1002;"Özdemir\r\n-Groß";;;5" Rohr\r\n;;;;\r\n1003;X;;;\r\n';
    const mapping = { ...staff, file: { encoding: 'windows-1252' } };
    const { sent, rejected } = await send(mapping, [Buffer.from(text, 'latin1')]);
    expect(sent).toMatchObject([{ line: 3, record: { last_name: 'Özdemir\n-Groß', custom_fields: { position: '5" Rohr' } } }]);
    expect(rejected).toEqual([[6, expect.stringContaining('1003 is a new employee, so the mapping must name a column for first_name.')]]);
  });

  it('skip a byte order mark', async () => {
    expect((await send(times, ['\ufeffNr;Tag;Von;Bis\n1002;1.4.2026;7:00;15:00'])).sent).toHaveLength(1);
  });

  it('that cannot be read name their line, and the rows before them are kept', async () => {
    const { sent, rejected } = await send(times, [
      'Nr;Tag;Von;Bis\n1002;1.4.2026;7:00;15:00\n1002;2.4.2026\n1002;"3.4.2026;7:00;15:00\n1002;4',
    ]);
    expect(sent.map(({ line }) => line)).toEqual([2]);
    expect(rejected).toEqual([
      [4, 'A quotation mark of this row, or of one after it, is not closed.'],
      [3, 'The row has 2 cells, and the header 4.'],
    ]);
  });

  it('that cannot be read name their line after blank lines, too', async () => {
    const { rejected } = await send(times, ['Nr;Tag;Von;Bis\n1002;1.4.2026;7:00;15:00\n\n\n1002;"3.4.2026;7:00;15:00\n']);
    expect(rejected).toEqual([[5, 'A quotation mark of this row, or of one after it, is not closed.']]);
  });

  it.each(['"', ''])('that are too long end the reading of their file, once (begun with %j)', async (quote) => {
    const row = '1002;2.4.2026;7:00;15:00\n';
    const long = `${quote}${'x'.repeat(1_100_000)}\n${row.repeat(9_000)}`;
    const { sent, rejected } = await send(times, [`Nr;Tag;Von;Bis\n1002;1.4.2026;7:00;15:00\n${long}`], { piece: 65_536 });
    expect(sent.map(({ line }) => line)).toEqual([2]);
    expect(rejected).toEqual([[3, expect.stringContaining('The rest of the file was not read.')]]);
  });

  it('of another encoding end the command, which says what would read them', async () => {
    await expect(send(times, [Buffer.from('Nr;Tag;Von;Bis\n1002;M\u00fcller;;', 'latin1')])).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining('"encoding": "windows-1252"'),
    });
  });

  it('have the columns of the mapping, or the command names every one that is missing', async () => {
    await expect(send(times, ['Nr;Datum;Vom;Bis;Bis\n'])).rejects.toMatchObject({
      exitCode: 2,
      message:
        'The header of a.csv does not match the mapping:\nColumn "Tag" is missing; there are "Nr", "Datum", "Vom", "Bis", "Bis".\n' +
        'Column "Von" is missing; did you mean "Vom"?\nColumn "Bis" occurs twice.',
    });
  });
});

describe('rows of employees', () => {
  it('update the employee with the number, and keep fields without a column', async () => {
    const { sent, rejected } = await send(staff, ['Nr;Name;Abt;Ende;Rolle\n1002;Huber;Hochbau;31.12.2026;Polierin\n1002;Maier;;;\n']);
    expect(sent).toEqual([
      {
        line: 2,
        record: {
          ...{ kind: 'employee', institution_id: INSTITUTION, id: 'e1', account_id: 'a', number: '1002', first_name: 'Eva' },
          ...{ last_name: 'Huber', department_id: 'd1', hired_on: '2020-03-01', left_on: '2026-12-31', entitlements: ['e'] },
          custom_fields: { crew: '1', position: 'Polierin' },
        },
      },
    ]);
    expect(rejected).toEqual([[3, expect.stringContaining('Column "Nr": "1002" is already in line 2.')]]);
  });

  it('name the file of an earlier row with the same number, if it is another', async () => {
    const { rejected } = await send(staff, ['Nr;Name;Abt;Ende;Rolle\n1002;Huber;;;\n', 'Nr;Name;Abt;Ende;Rolle\n1002;Maier;;;\n']);
    expect(rejected).toEqual([[2, 'Column "Nr": "1002" is already in line 2 of a.csv.']]);
  });

  it('never take the id of an employee who had the number before', async () => {
    const mapping = { kind: 'employee', columns: { number: 'Nr', first_name: 'Vorname', last_name: 'Name', hired_on: 'Ab' } };
    const file = 'Nr;Vorname;Name;Ab\n1004;Max;Neu;1.4.2026\n';
    const idAmong = async (ids: readonly string[]) => {
      const { sent } = await send(mapping, [file], { stored: { ...directory, employeeIds: new Set(ids) } });
      return sent.map(({ record }) => record['id'] as string);
    };
    const [first = ''] = await idAmong([]);
    expect(first).toBe(uuidV5(INSTITUTION, 'csv/employee/1004'));
    const [second = ''] = await idAmong([first]);
    const [third = ''] = await idAmong([first, second]);
    expect(new Set([first, second, third]).size).toBe(3);
    expect(await idAmong([first])).toEqual([second]);
  });

  it('name everything that is wrong, with column and value', async () => {
    const { sent, rejected } = await send(staff, [
      'Nr;Name;Abt;Ende;Rolle\n7;;Tiefbau;31.2.2026;\n;X;;;\n1002;Huber;;31.12.2019;\n1002;;;;\n',
    ]);
    expect(sent).toEqual([]);
    expect(rejected).toEqual([
      [
        2,
        'Column "Nr": "7" is the number of 2 employees; correct this in the platform first. Column "Ende": "31.2.2026" is no date of the form dd.mm.yyyy. ' +
          'Column "Abt": "Tiefbau" is no department of the institution.',
      ],
      [3, 'Column "Nr" is empty.'],
      [4, 'Column "Ende": "31.12.2019" has the last day of employment before the first one.'],
      [5, 'Column "Nr": "1002" is already in line 4.'],
    ]);
  });
});

describe('letters that are written as a letter and a mark', () => {
  // macOS writes u and U+0308 for ü, and ß has no such form.
  const decomposed = (text: string) => text.normalize('NFD');
  const named: Directory = {
    ...directory,
    employeesByNumber: new Map([['Ü-1', [eva]]]),
    departments: new Map([['Straßenbau Süd', [{ id: 'd2' }]]]),
  };
  const columns = { number: 'Prüfnummer', department: 'Abteilung Süd', custom_fields: { Größe: 'Größe' } };
  const header = 'Prüfnummer;Abteilung Süd;Größe\n';
  const sentOf = async (mapping: object, files: readonly string[]) =>
    (await send({ kind: 'employee', columns: mapping }, files, { stored: named })).sent.map(({ record }) => record);

  it.each([
    ['in the file', columns, decomposed(`${header}Ü-1;Straßenbau Süd;groß für Männer\n`)],
    ['in the mapping', JSON.parse(decomposed(JSON.stringify(columns))) as object, `${header}Ü-1;Straßenbau Süd;groß für Männer\n`],
  ])('%s are the same in headers, numbers, names and fields, and are stored composed', async (_, mapping, file) => {
    expect(await sentOf(mapping, [file])).toMatchObject([
      { id: 'e1', number: 'Ü-1', department_id: 'd2', custom_fields: { crew: '1', Größe: 'groß für Männer' } },
    ]);
  });

  it('make the number of an earlier row', async () => {
    const file = `${header}Ü-1;;\n${decomposed('Ü-1')};;\n`;
    expect((await send({ kind: 'employee', columns }, [file], { stored: named })).rejected).toEqual([
      [3, 'Column "Prüfnummer": "Ü-1" is already in line 2.'],
    ]);
  });
});

describe('rows of hours', () => {
  const row = ({ record }: { readonly record: Record<string, unknown> }) => [record['date'], record['started_at'], record['ended_at']];

  it('with begin and end may go over midnight', async () => {
    const text =
      'Nr;Tag;Von;Bis\n1002;28.02.2026;22:00;6:00\n1002;01.03.2026;28.02.2026 23:00;01.03.2026 7:00\n1002;02.03.2026;7:00;24:00\n';
    const { sent } = await send(times, [text]);
    expect(sent.map(row)).toEqual([
      ['2026-02-28', '2026-02-28T22:00:00', '2026-03-01T06:00:00'],
      ['2026-03-01', '2026-02-28T23:00:00', '2026-03-01T07:00:00'],
      ['2026-03-02', '2026-03-02T07:00:00', '2026-03-03T00:00:00'],
    ]);
  });

  it('are rejected where a date and a time are followed by anything, which would make it another time', async () => {
    const text = 'Nr;Tag;Von;Bis\n1002;1.4.2026;1.4.2026 1:00 PM;1.4.2026 5:00 PM\n1002;2.4.2026;2.4.2026 07:00 +02:00;15:00\n';
    const { sent, rejected } = await send(times, [text]);
    expect(sent).toEqual([]);
    expect(rejected).toEqual([
      [
        2,
        'Column "Von": "1.4.2026 1:00 PM" has more than a date and a time. Column "Bis": "1.4.2026 5:00 PM" has more than a date and a time.',
      ],
      [3, 'Column "Von": "2.4.2026 07:00 +02:00" has more than a date and a time.'],
    ]);
  });

  it('that end when they begin are not taken for a whole day', async () => {
    const { sent, rejected } = await send(times, ['Nr;Tag;Von;Bis\n1002;28.02.2026;0:00;0:00\n1002;01.03.2026;0:00;24:00\n']);
    expect(sent.map(row)).toEqual([['2026-03-01', '2026-03-01T00:00:00', '2026-03-02T00:00:00']]);
    expect(rejected).toEqual([[2, 'Column "Bis": "0:00" is not after the begin.']]);
  });

  it('without a begin follow each other, with their breaks in the middle', async () => {
    const header = 'Nr;Tag;Std;Pause;Bau\n';
    const { sent, rejected } = await send(hours, [
      `${header}1002;1.4.2026;4;;B-1\n1002;1.4.2026;4,5;30;\n`,
      `${header}1002;1.4.2026;8,1;;\n`,
    ]);
    expect(sent.map(row)).toEqual([
      ['2026-04-01', '2026-04-01T07:00:00', '2026-04-01T11:00:00'],
      ['2026-04-01', '2026-04-01T11:00:00', '2026-04-01T16:00:00'],
    ]);
    expect(sent.map(({ record }) => record['timespans'])).toMatchObject([
      [{ type: 'work', project_id: 'p1', ended_at: '2026-04-01T11:00:00' }],
      [
        { type: 'work', project_id: null, started_at: '2026-04-01T11:00:00', ended_at: '2026-04-01T16:00:00' },
        { type: 'break', started_at: '2026-04-01T13:15:00', ended_at: '2026-04-01T13:45:00' },
      ],
    ]);
    expect(rejected).toEqual([[2, 'Column "Std": "8,1" extends beyond the end of the day: the shift begins at 16:00.']]);
  });

  it('have as long a break as they say where clocks change, and not in the hour that is skipped or comes twice', async () => {
    const mapping = { ...times, columns: { ...times.columns, break: 'Pause' } };
    const { sent, rejected } = await send(mapping, [
      'Nr;Tag;Von;Bis;Pause\n' +
        '1002;28.3.2026;22:00;6:00;30\n1002;24.10.2026;22:00;6:00;30\n1002;24.10.2026;21:30;8:00;30\n1002;29.3.2026;1:30;3:30;90\n',
    ]);
    expect(sent.map(({ record }) => (record['timespans'] as object[])[1])).toMatchObject([
      // In March, 22:00 to 06:00 are 7 hours, so the middle begins at 01:15.
      { type: 'break', started_at: '2026-03-29T01:15:00', ended_at: '2026-03-29T01:45:00' },
      // In October they are 9 hours; 02:15 is read as the first of the two.
      { type: 'break', started_at: '2026-10-25T02:15:00', ended_at: '2026-10-25T02:45:00' },
      // 21:30 to 08:00 are 11.5 hours. Their middle is the second 02:00 to 02:30, which local time cannot express.
      { type: 'break', started_at: '2026-10-25T02:29:00', ended_at: '2026-10-25T02:59:00' },
    ]);
    expect(rejected).toEqual([[5, 'Column "Pause": "90" is longer than the shift.']]);
  });

  it('without a begin are as long as they say where clocks change', async () => {
    const { sent, rejected } = await send({ ...hours, day_begins: '00:00' }, [
      'Nr;Tag;Std;Pause;Bau\n' +
        '1002;29.3.2026;7,5;30;\n1002;29.3.2026;1;;\n1002;25.10.2026;8;30;\n1002;26.10.2026;1;;\n1002;24.10.2026;24;;\n',
      'Nr;Tag;Std;Pause;Bau\n1002;25.10.2026;16,5;;\n1002;25.10.2026;0,5;;\n',
    ]);
    expect(sent.map(row)).toEqual([
      ['2026-03-29', '2026-03-29T00:00:00', '2026-03-29T09:00:00'],
      ['2026-03-29', '2026-03-29T09:00:00', '2026-03-29T10:00:00'],
      ['2026-10-25', '2026-10-25T00:00:00', '2026-10-25T07:30:00'],
      ['2026-10-26', '2026-10-26T00:00:00', '2026-10-26T01:00:00'],
      ['2026-10-24', '2026-10-24T00:00:00', '2026-10-25T00:00:00'],
      ['2026-10-25', '2026-10-25T07:30:00', '2026-10-26T00:00:00'],
    ]);
    expect(rejected).toEqual([[3, 'Column "Std": "0,5" extends beyond the end of the day: the shift begins at 00:00.']]);
    // The limits of the years are validated by the service.
    expect((await send(hours, ['Nr;Tag;Std;Pause;Bau\n1002;1.4.1969;3,5;30;\n'])).sent).toHaveLength(1);
    expect((await send({ ...hours, day_begins: '00:00' }, ['Nr;Tag;Std;Pause;Bau\n1002;25.10.2026;3,5;;\n'])).rejected).toEqual([
      [2, 'Column "Std": "3,5" extends into the hour that is repeated when the clocks go back: give begin and end instead.'],
    ]);
    const mornings = await send({ ...hours, day_begins: '07:00' }, ['Nr;Tag;Std;Pause;Bau\n1002;29.3.2026;8;;\n1002;25.10.2026;8;;\n']);
    expect(mornings.sent.map(row)).toEqual([
      ['2026-03-29', '2026-03-29T07:00:00', '2026-03-29T15:00:00'],
      ['2026-10-25', '2026-10-25T07:00:00', '2026-10-25T15:00:00'],
    ]);
  });

  it('that end before their begin by the clock, in the hour that comes twice, are not taken for a whole day', async () => {
    const { sent, rejected } = await send(times, [
      'Nr;Tag;Von;Bis\n1002;25.10.2026;2:45;2:15\n1002;25.10.2026;25.10.2026 2:45;2:15\n1002;24.10.2026;2:45;2:15\n',
    ]);
    const reason = 'is before the begin, in the hour that is repeated when the clocks go back: write it with its date.';
    expect(rejected).toEqual([
      [2, `Column "Bis": "2:15" ${reason}`],
      [3, `Column "Bis": "2:15" ${reason}`],
    ]);
    expect(sent.map(row)).toEqual([['2026-10-24', '2026-10-24T02:45:00', '2026-10-25T02:15:00']]);
  });

  // The clocks go back on 25 October at 3:00 to 2:00. From the first 2:45 to the second 2:15 it is half an hour.
  it.each<[string, string, string, [string, string] | string]>([
    ['begins in the first hour and ends in the second', '2:45', '25.10.2026 2:15', ['2026-10-25T02:45:00', '2026-10-25T02:15:00']],
    ['does so as long as possible', '2:59:59', '25.10.2026 2:59:58', ['2026-10-25T02:59:59', '2026-10-25T02:59:58']],
    ['does so and has two dates', '25.10.2026 2:45', '25.10.2026 2:00', ['2026-10-25T02:45:00', '2026-10-25T02:00:00']],
    ['ends a day later', '2:45', '26.10.2026 2:15', ['2026-10-25T02:45:00', '2026-10-26T02:15:00']],
    // Read as the time in the first hour, like everywhere else.
    ['may begin and end in either hour', '2:15', '25.10.2026 2:45', ['2026-10-25T02:15:00', '2026-10-25T02:45:00']],
    // An hour, or nothing: the service would read it as nothing.
    ['ends when it begins', '2:30', '25.10.2026 2:30', 'is not after the begin'],
    ['begins after both hours', '3:00', '25.10.2026 2:30', 'is not after the begin'],
    ['ends before both hours', '2:15', '25.10.2026 1:45', 'is not after the begin'],
    ['is on a day on which no hour comes twice', '24.10.2026 2:45', '24.10.2026 2:15', 'is not after the begin'],
  ])('whose end has its date are read by it: one that %s', async (_, begin, end, expected) => {
    const { sent, rejected } = await send(times, [`Nr;Tag;Von;Bis\n1002;25.10.2026;${begin};${end}\n`]);
    const isRejected = typeof expected === 'string';
    expect(sent.map(({ record: { started_at, ended_at } }) => [started_at, ended_at])).toEqual(isRejected ? [] : [expected]);
    expect(rejected).toEqual(isRejected ? [[2, `Column "Bis": "${end}" ${expected}.`]] : []);
  });

  const outside = 'is not between the begin of the break and the end of the shift';
  // From the first 2:45 to the second 2:15.
  it.each<[string, string, string | undefined]>([
    ['2:50', '2:55', undefined],
    ['2:50', '2:05', undefined],
    ['2:05', '2:10', undefined],
    ['2:45', '2:15', undefined],
    ['', '', undefined],
    ['2:05', '2:50', outside],
    ['2:50', '2:20', outside],
    ['2:50', '3:10', outside],
    ['1:45', '2:05', outside],
  ])('within the hour that comes twice may have a break from "%s" to "%s": %s', async (from, to, problem) => {
    const mapping = { ...times, columns: { ...times.columns, break_begin: 'PVon', break_end: 'PBis' } };
    const { sent, rejected } = await send(mapping, [`Nr;Tag;Von;Bis;PVon;PBis\n1002;25.10.2026;2:45;25.10.2026 2:15;${from};${to}\n`]);
    const breaks = sent.flatMap(({ record }) => (record['timespans'] as object[]).slice(1));
    const isSent = problem === undefined && from !== '';
    expect(breaks).toMatchObject(isSent ? [{ started_at: `2026-10-25T0${from}:00`, ended_at: `2026-10-25T0${to}:00` }] : []);
    expect(rejected).toEqual(problem === undefined ? [] : [[2, `Column "PBis": "${to}" ${problem}.`]]);
  });

  it('within the hour that comes twice have a break with a length only in the first of them', async () => {
    const mapping = { ...times, columns: { ...times.columns, break: 'Pause' } };
    const { sent } = await send(mapping, ['Nr;Tag;Von;Bis;Pause\n1002;25.10.2026;2:45;25.10.2026 2:15;10\n']);
    // The middle of the half hour begins at 2:55; until the second 2:05 it could not be expressed.
    expect(sent.map(({ record }) => (record['timespans'] as object[])[1])).toMatchObject([
      { started_at: '2026-10-25T02:49:00', ended_at: '2026-10-25T02:59:00' },
    ]);
  });

  it('without a begin start an hour later where that of the day is skipped', async () => {
    const { sent } = await send({ ...hours, day_begins: '02:30' }, ['Nr;Tag;Std;Pause;Bau\n1002;29.3.2026;8;;\n']);
    expect(sent.map(row)).toEqual([['2026-03-29', '2026-03-29T03:30:00', '2026-03-29T11:30:00']]);
  });

  it('have the same ids again, by key also with another begin', async () => {
    const text = 'Nr;Tag;Von;Bis;Id\n1002;1.4.2026;7:00;15:00;k1\n';
    const keyed = { ...times, columns: { ...times.columns, key: 'Id' } };
    const ids = async (mapping: object, content: string) => (await send(mapping, [content])).sent.map(({ record }) => record['id']);
    expect(await ids(times, text)).toEqual(await ids(times, text.replace('15:00', '16:00')));
    expect(await ids(times, text)).not.toEqual(await ids(times, text.replace('7:00', '6:00')));
    expect(await ids(keyed, text)).toEqual(await ids(keyed, text.replace('7:00', '6:00')));
    expect((await send(times, [text, text])).rejected).toEqual([
      [2, 'The shift begins at the same time as that of line 2 of a.csv of the same employee.'],
    ]);
  });

  it('keep their ids when an earlier row of the day cannot be read', async () => {
    const idsOf = async (first: string) => {
      const { sent } = await send(hours, [`Nr;Tag;Std;Pause;Bau\n1002;1.4.2026;${first};;\n1002;1.4.2026;2;;\n`]);
      return sent.map(({ record }) => record['id']);
    };
    const [, second] = await idsOf('3');
    expect(await idsOf('three')).toEqual([second]);
    expect(await idsOf('')).toEqual([second]);
    expect(await idsOf('18')).toEqual([second]);
  });

  it('take breaks where they were, also from the first 02:45 to the second 02:15', async () => {
    const mapping = { ...times, columns: { ...times.columns, break_begin: 'P1', break_end: 'P2' } };
    const { sent, rejected } = await send(mapping, [
      'Nr;Tag;Von;Bis;P1;P2\n1002;24.10.2026;22:00;6:00;2:45;2:15\n1002;23.10.2026;22:00;6:00;2:45;2:15\n',
    ]);
    expect(sent.map(({ record }) => record['timespans'])).toMatchObject([
      [{ type: 'work' }, { type: 'break', started_at: '2026-10-25T02:45:00', ended_at: '2026-10-25T02:15:00' }],
    ]);
    expect(rejected).toEqual([[3, 'Column "P2": "2:15" is not between the begin of the break and the end of the shift.']]);
  });

  it('take breaks where they were', async () => {
    const mapping = {
      kind: 'workday',
      columns: { accounting_number: 'Nr', date: 'Tag', begin: 'Von', end: 'Bis', break_begin: 'P1', break_end: 'P2' },
    };
    const { sent, rejected } = await send(mapping, [
      'Nr;Tag;Von;Bis;P1;P2\n2;1.4.2026;22:00;6:00;1:00;1:30\n2;2.4.2026;7:00;15:00;;\n2;3.4.2026;7:00;15:00;14:00;15:30\n2;4.4.2026;7:00;15:00;9:00;\n',
    ]);
    expect(sent.map(({ record }) => record['timespans'])).toMatchObject([
      [{ type: 'work' }, { type: 'break', started_at: '2026-04-02T01:00:00', ended_at: '2026-04-02T01:30:00' }],
      [{ type: 'work' }],
    ]);
    expect(rejected).toEqual([
      [4, 'Column "P2": "15:30" is not between the begin of the break and the end of the shift.'],
      [5, 'Column "P2" is empty.'],
    ]);
  });

  it.each([
    ['9;1.4.2026;8;;', 'Column "Nr": "9" is no personnel number of the institution.'],
    ['7;1.4.2026;8;;', 'Column "Nr": "7" is the personnel number of 2 employees.'],
    ['1002;;;x;', 'Column "Tag" is empty. Column "Std" is empty. Column "Pause": "x" is no number of minutes such as 30.'],
    ['1002;1.4.2026;8.5;;B-2', 'Column "Bau": "B-2" is no code of the institution. Column "Std": "8.5" is no number of hours such as 7,5.'],
  ])('%s are rejected with everything that is wrong', async (line, reason) => {
    expect((await send(hours, [`Nr;Tag;Std;Pause;Bau\n${line}\n`])).rejected).toEqual([[2, reason]]);
  });
});

describe('what a service says of a field', () => {
  const explain = (columns: object) => {
    const mapping = readMapping(JSON.stringify({ institution_id: INSTITUTION, ...staff, columns: { ...staff.columns, ...columns } }));
    if (!('kind' in mapping)) throw new Error('no mapping');
    return inColumns(mapping);
  };

  it('names the column', () => {
    expect(explain({})('last_name is wrong.')).toBe('last_name is wrong. (last_name is column "Name")');
    expect(explain({})('Nothing of a column.')).toBe('Nothing of a column.');
  });

  it.each(['Schuhgröße', 'ö', 'cost center', 'a-b', 'Länge (cm)', 'C++', 'a|b'])('names the column of a custom field %s', (name) => {
    const field = `custom_fields.${name}`;
    expect(explain({ custom_fields: { [name]: 'Spalte' } })(`${field} is wrong.`)).toBe(`${field} is wrong. (${field} is column "Spalte")`);
    expect(explain({ custom_fields: { [name]: 'Spalte' } })(`${field}ß is wrong.`)).toBe(`${field}ß is wrong.`);
  });
});
