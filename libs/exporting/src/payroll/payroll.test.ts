import { describe, expect, it } from '@jest/globals';
import type { ExportDirectory } from '../directory.js';
import { neededParts } from '../needed-parts.js';
import { parseExportRequest } from '../request/parse-request.js';
import { absence, anna, annasWeek, bernd, bodyOf, chunksOf, day, directory, EASTER, errorsOf, id, records } from '../test/fixture.js';

const config = '0012345|00099';
const named: ExportDirectory = {
  ...directory,
  institution: { ...directory.institution, payrollClientNumber: '0815' },
  staff: [
    { ...anna, accountingNumber: '0042', departmentId: id(11) },
    { ...bernd, accountingNumber: '7' },
  ],
  departments: new Map([[id(11), { id: id(11), name: '=Bau; "Nord"\nHalle', costCenter: null }]]),
};
const run = { directory: named, records: [annasWeek] };

describe('payroll_a', () => {
  const a = { ...run, exporter: 'payroll_a' };

  it('quotes if necessary, has no apostrophes and includes empty columns', async () => {
    expect(await bodyOf({ types: '401|360' }, a)).toBe(
      'MDNr;AbrMon;AbrJahr;ANNr;LANr;Dat;Kost;KoTr;AA;Anz;Betrag;Zuschlag;Text\r\n' +
        '0815;4;2026;0042;360;7;"=Bau; ""Nord""\nHalle";;;0,50;;;Urlaubstag\r\n' +
        '0815;4;2026;0042;401;;"=Bau; ""Nord""\nHalle";;;22,01;;;Iststunden\r\n',
    );
  });

  it('has numbers in formats with numbers', async () => {
    const [row] = JSON.parse(await bodyOf({ types: '360', export_format: 'json' }, a)) as unknown[];
    expect(row).toEqual({
      ...{ MDNr: '0815', AbrMon: 4, AbrJahr: 2026, ANNr: '0042', LANr: 360, Dat: 7, Kost: '=Bau; "Nord"\nHalle', KoTr: null, AA: null },
      ...{ Anz: 0.5, Betrag: null, Zuschlag: null, Text: 'Urlaubstag' },
    });
  });

  it('is written as text with two decimals and a comma', async () => {
    const line = '0815\t4\t2026\t0042\t360\t7\t=Bau; "Nord" Halle\t\t\t0,50\t\t\tUrlaubstag\n';
    expect(await bodyOf({ types: '360', export_format: 'plain' }, a)).toBe(line);
    expect(await bodyOf({ types: '360', export_format: 'table' }, a)).toContain('0,50');
  });

  it('replaces unencodable characters by question marks in texts, but not in numbers', async () => {
    const departments = new Map([[id(11), { id: id(11), name: 'Bau u\u0308ber Łódź €', costCenter: null }]]);
    const absenceTypes = directory.institution.absenceTypes.map((type) => ({ ...type, label: `${type.label} Ş😀` }));
    const known = { ...named, departments, institution: { ...named.institution, absenceTypes } };
    const week = records(anna.id, { contracts: annasWeek.contracts, absences: [absence({ missingType: 'sick' })] });
    const windows = { types: '99001', export_format: 'csv:encoding>windows-1252' };
    const [chunk] = await chunksOf(windows, { ...a, directory: known, records: [week] });
    const lines = new TextDecoder('windows-1252').decode(chunk).split('\r\n');
    expect(lines[1]).toBe('0815;4;2026;0042;99001;7;Bau über ?ód? €;;;1,00;;;Krank ??');
    const staff = [{ ...anna, accountingNumber: '42Ł', departmentId: id(11) }];
    await expect(chunksOf(windows, { ...a, directory: { ...known, staff }, records: [week] })).rejects.toMatchObject({
      details: { export_format: ['"42Ł" (ANNr of employee 0042) has characters that windows-1252 cannot encode.'] },
    });
  });

  it('has one row per day for all vacation types, and one per day and type for other absences', async () => {
    const absences = [
      absence({ missingType: 'vacation', dayPart: 0.5 }),
      absence({ id: id(61), missingType: 'special', dayPart: 0.5 }),
      absence({ id: id(62), missingType: 'school', dayPart: 0.5, startsOn: day('2026-04-02'), endsOn: day('2026-04-02') }),
      absence({ id: id(63), missingType: 'sick', dayPart: 0.5, startsOn: day('2026-04-02'), endsOn: day('2026-04-02') }),
    ];
    const types = [
      ...directory.institution.absenceTypes,
      { value: 'special', label: 'Sonderurlaub', category: 'vacation', credited: true } as const,
      { value: 'school', label: 'Berufsschule', category: 'education', credited: true } as const,
    ];
    const known = { ...named, institution: { ...named.institution, absenceTypes: types } };
    const week = records(anna.id, { contracts: annasWeek.contracts, absences });
    const body = await bodyOf({ types: '360|99001|157|158|403|424', export_format: 'json' }, { ...a, directory: known, records: [week] });
    const rows = (JSON.parse(body) as Record<string, unknown>[]).map(({ LANr, Dat, Anz, Text }) => [LANr, Dat, Anz, Text]);
    expect(rows).toEqual([
      [360, 7, 1, 'Urlaubstag'],
      [157, null, 1, 'Urlaubstage'],
      [99001, 2, 0.5, 'Berufsschule'],
      [99001, 2, 0.5, 'Krank'],
      [158, null, 0.5, 'Krankheitstage'],
      [403, null, 4, 'Krankheitsstunden'],
      [424, null, 4, 'Fortbildungsstunden'],
    ]);
  });

  it('counts a day once if absences of two types of a category overlap', async () => {
    const april = (date: number) => ({ startsOn: day(`2026-04-0${String(date)}`), endsOn: day(`2026-04-0${String(date)}`) });
    const absences = [
      absence({ missingType: 'vacation', ...april(7) }),
      absence({ id: id(61), missingType: 'special', ...april(7) }),
      absence({ id: id(62), missingType: 'sick', ...april(2) }),
      absence({ id: id(63), missingType: 'child-sick', ...april(2) }),
    ];
    const absenceTypes = [
      ...directory.institution.absenceTypes,
      { value: 'special', label: 'Sonderurlaub', category: 'vacation', credited: true } as const,
      { value: 'child-sick', label: 'Kind krank', category: 'sick', credited: true } as const,
    ];
    const known = { ...named, institution: { ...named.institution, absenceTypes } };
    const week = records(anna.id, { contracts: annasWeek.contracts, absences });
    const body = await bodyOf({ types: '360|157|402|99001|158|403', export_format: 'json' }, { ...a, directory: known, records: [week] });
    const rows = (JSON.parse(body) as Record<string, unknown>[]).map(({ LANr, Dat, Anz, Text }) => [LANr, Dat, Anz, Text]);
    expect(rows).toEqual([
      [360, 7, 1, 'Urlaubstag'],
      [157, null, 1, 'Urlaubstage'],
      [402, null, 8, 'Urlaubsstunden'],
      [99001, 2, 1, 'Krank'],
      [158, null, 1, 'Krankheitstage'],
      [403, null, 8, 'Krankheitsstunden'],
    ]);
  });

  it('reads only what the requested wage codes need', () => {
    const needs = (types: string): unknown =>
      parseExportRequest('payroll_a', { daterange: EASTER, types }, directory).sections.map((section) => neededParts(section));
    expect(needs('400')).toMatchObject([{ contracts: true, absences: false, workdays: false, timespans: false }]);
    expect(needs('305')).toMatchObject([{ contracts: false, absences: false, workdays: true, timespans: true }]);
  });

  it.each([
    [{ columns: 'value' }, { columns: ['The exporter "payroll_a" takes no columns.'] }],
    [{ config: '1|2' }, { config: ['The exporter "payroll_a" takes no config.'] }],
    [{ types: '300' }, { types: ['"300" is not a valid choice. Did you mean "301"?'] }],
    [{ types: '301|301' }, { types: ['"301" is repeated.'] }],
    [{ types: 'credit-time:hours' }, { types: ['"credit-time:hours" is not a valid choice.'] }],
    [{ export_format: 'xlsx' }, { export_format: ['"xlsx" needs response_only=true.'] }],
    [{ export_format: 'csv:quote>all' }, { export_format: ['Option "quote" is not a valid choice.'] }],
    [{ export_format: 'csv:decimal>.' }, { export_format: ['Option "decimal" is not a valid choice.'] }],
    [{ export_format: 'csv:delimiter>,' }, { export_format: ['Option "delimiter" needs ";".'] }],
    [{ export_format: 'json', prefix: 'QQ==' }, { prefix: ['Only the formats csv, plain and table take a prefix.'] }],
    [{ daterange: '' }, { daterange: ['This field is required.'] }],
    [{ employee_ids: 'x' }, { employee_ids: ['Must be a valid UUID.'] }],
    [{ filter: 'colour=red' }, { filter: [expect.any(String)] }],
  ])('rejects %j', (parameters: Record<string, string>, errors) => {
    expect(errorsOf(parameters, 'payroll_a')).toEqual(errors);
  });
});

describe('payroll_b', () => {
  const b = { ...run, exporter: 'payroll_b' };

  it('begins with advisor, client and month, and has neither header nor rows of 0', async () => {
    const body = '0012345;00099;04/2026\r\n0042;1000;22,01\r\n0042;8560;0,50\r\n0042;1602;4,00\r\n0042;1015;14,00\r\n';
    expect(await bodyOf({ config }, b)).toBe(body);
    expect(await bodyOf({ config, skip_zero_rows: 'false', export_format: 'csv:newline>crlf:delimiter>;' }, b)).toBe(body);
    expect(await bodyOf({ config, export_format: 'plain' }, b)).toBe(body.replaceAll(';', '\t').replaceAll('\r', ''));
  });

  it('always has a year of four digits', async () => {
    expect(await bodyOf({ config, daterange: '0999-04-01|0999-04-30' }, b)).toBe('0012345;00099;04/0999\r\n');
  });

  it('has separate fields for hours and days in the layout of DATEV', async () => {
    const rows = ['0012345;00099;04/2026', '0042;1000;22,01;', '0042;8560;;0,50', '0042;1602;4,00;', '0042;1015;14,00;'];
    expect(await bodyOf({ config, export_format: 'csv:layout>datev' }, b)).toBe(`${rows.join('\r\n')}\r\n`);
    expect(await bodyOf({ config, export_format: 'csv:layout>standard' }, b)).toBe(await bodyOf({ config }, b));
    expect(errorsOf({ config, export_format: 'csv:layout>lodas' }, 'payroll_b')).toEqual({
      export_format: ['Option "layout" needs "standard" or "datev".'],
    });
    expect(errorsOf({ export_format: 'csv:layout>datev' }, 'payroll_a')).toEqual({
      export_format: ['Option "layout" is not a valid choice.'],
    });
  });

  it('has column names in formats with names', async () => {
    const [row] = JSON.parse(await bodyOf({ config, export_format: 'json' }, b)) as unknown[];
    expect(row).toEqual({ 'accounting-number': '0042', 'wage-code': 1000, value: 22.01 });
    expect(await bodyOf({ config, export_format: 'table' }, b)).toMatch(/^accounting-number {2}wage-code {2}value\n-/);
  });

  it('applies the options newline, encoding and bom', async () => {
    const format = 'csv:newline>lf:bom:encoding>utf-8:delimiter>%3B';
    expect(await bodyOf({ config, export_format: format, prefix: 'QQo=' }, b)).toMatch(/^\uFEFFA\n0012345;00099;04\/2026\n0042/);
  });

  it.each(['', '1', '1|', '|1', '1|2|3', 'a|1', '1|b', '-1|2', '1.5|2', ' 1|2', '١|2', '1|2\n'])('rejects the config %j', (wrong) => {
    const messages = wrong === '' ? 'This field is required.' : 'Must have the form <advisor_number>|<client_number>, both of digits only.';
    expect(errorsOf({ config: wrong }, 'payroll_b')).toEqual({ config: [messages] });
  });

  it.each([
    ['maybe', true],
    ['false', false],
  ])('ignores skip_zero_rows=%s (spec, Exports)', (text, echoed) => {
    const sent = { daterange: EASTER, skip_zero_rows: text, config: '1|2' };
    const { sections, echo } = parseExportRequest('payroll_b', sent, directory);
    expect([sections[0]?.skipZeroRows, echo.skip_zero_rows]).toEqual([true, echoed]);
  });

  it('rejects types and columns together with all other problems', () => {
    expect(errorsOf({ types: '1000', columns: 'value', export_format: 'pdf', is_async: 'maybe' }, 'payroll_b')).toEqual({
      is_async: ['Must be a valid boolean.'],
      export_format: [expect.any(String)],
      types: ['The exporter "payroll_b" takes no types.'],
      columns: ['The exporter "payroll_b" takes no columns.'],
      config: ['This field is required.'],
    });
  });

  it('echoes the parameters', () => {
    const { echo } = parseExportRequest('payroll_b', { daterange: EASTER, config, skip_zero_rows: 'false' }, directory);
    expect(echo).toMatchObject({ exporter: 'payroll_b', skip_zero_rows: false, types: null, columns: null, export_format: 'csv' });
  });
});
