import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { printChoice } from '../grammar.js';
import { anna, bodyOf, chunksOf, directory, member, records, shift } from '../test/fixture.js';
import type { ExportDirectory } from '../directory.js';

const worked = [records(anna.id, { workdays: [shift(1, '2026-04-01T07:00', '2026-04-01T14:27')] })];
const columns = 'last-name|first-name|type|value';

/** A directory in which Anna has these names. */
function named(lastName: string, firstName = 'Anna'): ExportDirectory {
  return { ...directory, staff: [{ ...anna, lastName, firstName }] };
}

function csvOf(export_format: string, run: { readonly directory?: ExportDirectory } = {}): Promise<string> {
  return bodyOf({ export_format, columns, types: 'work-time:hours' }, { records: worked, ...run });
}

describe('csv', () => {
  it.each([
    ['csv', 'last-name,first-name,type,value\r\nAbel,Anna,work-time:hours,7.45\r\n'],
    ['csv:delimiter>;', 'last-name;first-name;type;value\r\nAbel;Anna;work-time:hours;7.45\r\n'],
    ['csv:delimiter>%3B', 'last-name;first-name;type;value\r\nAbel;Anna;work-time:hours;7.45\r\n'],
    ['csv:delimiter>%09', 'last-name\tfirst-name\ttype\tvalue\r\nAbel\tAnna\twork-time:hours\t7.45\r\n'],
    ['csv:delimiter>\t', 'last-name\tfirst-name\ttype\tvalue\r\nAbel\tAnna\twork-time:hours\t7.45\r\n'],
    ['csv:delimiter>:', 'last-name:first-name:type:value\r\nAbel:Anna:"work-time:hours":7.45\r\n'],
    ['csv:delimiter>|', 'last-name|first-name|type|value\r\nAbel|Anna|work-time:hours|7.45\r\n'],
    ['csv:delimiter>-', '"last-name"-"first-name"-type-value\r\nAbel-Anna-"work-time:hours"-7.45\r\n'],
    ['csv:delimiter>😀', 'last-name😀first-name😀type😀value\r\nAbel😀Anna😀work-time:hours😀7.45\r\n'],
    ['csv:quote>all', '"last-name","first-name","type","value"\r\n"Abel","Anna","work-time:hours","7.45"\r\n'],
    ["csv:quote>all:quotechar>'", "'last-name','first-name','type','value'\r\n'Abel','Anna','work-time:hours','7.45'\r\n"],
    ['csv:newline>lf', 'last-name,first-name,type,value\nAbel,Anna,work-time:hours,7.45\n'],
    ['csv:newline>crlf:quote>minimal:formulas>escape', 'last-name,first-name,type,value\r\nAbel,Anna,work-time:hours,7.45\r\n'],
    ['csv:header>false', 'Abel,Anna,work-time:hours,7.45\r\n'],
    ['csv:header', 'last-name,first-name,type,value\r\nAbel,Anna,work-time:hours,7.45\r\n'],
    ['csv:decimal>%2C', 'last-name,first-name,type,value\r\nAbel,Anna,work-time:hours,"7,45"\r\n'],
    ['csv:decimal>,:delimiter>;', 'last-name;first-name;type;value\r\nAbel;Anna;work-time:hours;7,45\r\n'],
    ['csv:decimal>.', 'last-name,first-name,type,value\r\nAbel,Anna,work-time:hours,7.45\r\n'],
    ['csv:bom>1', '\uFEFFlast-name,first-name,type,value\r\nAbel,Anna,work-time:hours,7.45\r\n'],
    ['csv:bom', '\uFEFFlast-name,first-name,type,value\r\nAbel,Anna,work-time:hours,7.45\r\n'],
    ['csv:encoding>utf-8', 'last-name,first-name,type,value\r\nAbel,Anna,work-time:hours,7.45\r\n'],
  ])('writes %j', async (format, file) => {
    expect(await csvOf(format)).toBe(file);
  });

  it.each([
    ['A"b', 'minimal', '"A""b"'],
    ['A,b', 'minimal', '"A,b"'],
    ['A\nb', 'minimal', '"A\nb"'],
    ['A\rb', 'minimal', '"A\rb"'],
    ['A;b', 'minimal', 'A;b'],
    [' A ', 'minimal', ' A '],
    ['A"b', 'all', '"A""b"'],
    ['', 'all', '""'],
    ['A"b,c', 'none', 'A"b,c'],
    ['=1', 'minimal', "'=1"],
    ['+1', 'minimal', "'+1"],
    ['-1', 'minimal', "'-1"],
    ['@x', 'minimal', "'@x"],
    ['\tx', 'minimal', "'\tx"],
    ['\rx', 'minimal', '"\'\rx"'],
    ['=1,2', 'minimal', '"\'=1,2"'],
    ['=1', 'none', "'=1"],
    ['A=1', 'minimal', 'A=1'],
  ])('writes the cell %j with quote %s as %j', async (name, quote, cell) => {
    const [line = ''] = (await csvOf(`csv:quote>${quote}:header>false`, { directory: named(name) })).split(
      quote === 'all' ? ',"Anna"' : ',Anna',
    );
    expect(line).toBe(cell);
  });

  // German Excel always reads `;` as the delimiter and `"` as the quote.
  it.each([
    ['csv', 'Abel;=1', "Abel;'=1"],
    ['csv', 'Abel\t@x', "Abel\t'@x"],
    ['csv', 'A\n-1\n+1', `"A\n'-1\n'+1"`],
    ['csv', 'A\r\n=1', `"A\r\n'=1"`],
    ['csv', 'A;"=1&"', `"A;'""=1&"""`],
    ['csv', 'A;b; =1', 'A;b; =1'],
    ['csv:quote>all', 'A;=1', `"A;'=1"`],
    ['csv:delimiter>|', 'A;=1', "A;'=1"],
    ['csv:delimiter>%09', 'A;=1', "A;'=1"],
    ['csv:delimiter>;:quote>none', 'A;=1', "A;'=1"],
    ['csv:delimiter>;:quote>none', '"=1"', `'"=1"`],
    ["csv:delimiter>;:quotechar>'", 'A;=1', `'A;''=1'`],
    ["csv:quotechar>'", '"=1"', `'''"=1"'`],
    // Here, Excel splits cells exactly as the file does.
    ['csv:delimiter>;', 'A;=1', '"A;=1"'],
    ['csv:delimiter>;', 'A\n=1\t=1', '"A\n=1\t=1"'],
    ['csv:formulas>raw', 'A;=1', 'A;=1'],
  ])('with %s writes the cell %j as %j', async (format, name, cell) => {
    const request = { export_format: `${format}:header>false`, columns: 'last-name', types: 'work-time:hours' };
    expect(await bodyOf(request, { records: worked, directory: named(name) })).toBe(`${cell}\r\n`);
  });

  it('writes formulas unchanged with formulas>raw', async () => {
    expect(await csvOf('csv:formulas>raw:header>false', { directory: named('=1') })).toBe('=1,Anna,work-time:hours,7.45\r\n');
  });

  it('never puts an apostrophe before the cells of a numeric column', async () => {
    const numbers = 'value:negate|value:negate:fixed>2:as>b|value:negate:hhmm:as>c|value:default>-:as>=d';
    const body = await bodyOf({ columns: numbers, types: 'work-time:hours' }, { records: worked });
    expect(body).toBe("value,b,c,'=d\r\n-7.45,-7.45,-7:27,7.45\r\n");
  });

  it('writes windows-1252', async () => {
    const parameters = { export_format: 'csv:encoding>windows-1252:header>false', columns: 'last-name', types: 'work-time:hours' };
    const bytes = Buffer.concat(await chunksOf(parameters, { records: worked, directory: named('Müller – 5 €') }));
    expect(bytes.toString('latin1')).toBe('M\xfcller \x96 5 \x80\r\n');
  });

  it('writes only the header when there are no rows', async () => {
    expect(await bodyOf({ columns: 'value' }, { records: [] })).toBe('value\r\n');
    expect(await bodyOf({ columns: 'value', export_format: 'csv:header>false' }, { records: [] })).toBe('');
  });
});

describe('a row whose only cell is empty', () => {
  const parts = JSON.stringify([{ title: 'E-Mail', columns: ['email'] }, { title: 'Zeit' }]);
  const staff = [{ ...anna, email: null }, member({ id: 'staff-2', lastName: 'Berg', email: 'berg@example.com' })];
  const run = { directory: { ...directory, staff }, records: staff.map(({ id }) => records(id)) };
  const emails = { columns: 'email', skip_zero_rows: 'false' };

  it('is not written as a blank line, which readers skip and which separates sections', async () => {
    expect(await bodyOf(emails, run)).toBe('email\r\n""\r\nberg@example.com\r\n');
    expect(await bodyOf({ ...emails, config: parts, columns: 'value' }, { ...run, exporter: 'multi' })).toBe(
      'E-Mail\r\nemail\r\n""\r\nberg@example.com\r\n\r\nZeit\r\nvalue\r\n0\r\n0\r\n',
    );
  });

  it.each([
    ["csv:quotechar>'", "email\r\n''\r\nberg@example.com\r\n"],
    ['csv:formulas>raw', 'email\r\n""\r\nberg@example.com\r\n'],
    ['csv:quote>none', 'email\r\n\r\nberg@example.com\r\n'],
  ])('is written with the quotes of %s, if any', async (format, file) => {
    expect(await bodyOf({ ...emails, export_format: format }, run)).toBe(file);
  });

  it('is quoted in a numeric column, too', async () => {
    expect(await bodyOf({ columns: 'break', skip_zero_rows: 'false' }, run)).toBe('break\r\n""\r\n""\r\n');
  });
});

const cell = fc.string({ unit: fc.constantFrom('a', 'ü', '"', "'", ',', ';', '|', ':', '\r', '\n', '\t', ' ', '-', '=', '😀', '%', '>') });
const dialect = fc
  .record({
    delimiter: fc.constantFrom(',', ';', '\t', '|', ':', '>', '%'),
    quotechar: fc.constantFrom('"', "'"),
    quote: fc.constantFrom('minimal', 'all'),
    newline: fc.constantFrom('crlf', 'lf'),
    header: fc.boolean(),
    bom: fc.boolean(),
  })
  .map((options) => ({ ...options, format: printChoice({ name: 'csv', options: optionsOf({ ...options, formulas: 'raw' }) }) }));

function optionsOf(options: Readonly<Record<string, string | boolean>>): { name: string; value: string }[] {
  return Object.entries(options).map(([name, value]) => ({ name, value: String(value) }));
}

describe('csv files', () => {
  it('equal the output of csv-stringify, and csv-parse returns the same cells', async () => {
    const rowsOf = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rowsOf, dialect, async (rows, { delimiter, quotechar, quote, newline, header, bom, format }) => {
        const staff = rows.map(([lastName, firstName], index) => member({ id: `staff-${String(index)}`, lastName, firstName }));
        const run = { directory: { ...directory, staff }, records: staff.map(({ id }) => records(id)) };
        const file = await bodyOf({ export_format: format, columns: 'last-name|first-name|value', skip_zero_rows: 'false' }, run);
        const table = rows.map((row) => [...row, '0']);
        const names = ['last-name', 'first-name', 'value'];
        const expected = stringify(table, {
          delimiter,
          quote: quotechar,
          escape: quotechar,
          quoted: quote === 'all',
          quoted_empty: quote === 'all',
          record_delimiter: newline === 'crlf' ? '\r\n' : '\n',
          quote_record_delimiter: true,
          header,
          columns: names,
          bom,
        });
        expect(file).toBe(expected);
        const read: unknown = parse(file, {
          delimiter,
          quote: quotechar,
          escape: quotechar,
          bom,
          record_delimiter: newline === 'crlf' ? '\r\n' : '\n',
        });
        expect(read).toEqual(header ? [names, ...table] : table);
      }),
    );
  });
});
