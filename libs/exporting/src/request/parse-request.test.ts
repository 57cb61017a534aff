import { describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import { anna, bernd, carla, directory, EASTER, errorsOf, id, sectionOf } from '../test/fixture.js';
import { contentType, fileName } from './export-request.js';
import { parseExportRequest } from './parse-request.js';

const required = 'This field is required.';
const form = 'The range must have the form YYYY-MM-DD|YYYY-MM-DD.';
const wrongDate = 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.';
const wrongBoolean = 'Must be a valid boolean.';

describe('parseExportRequest', () => {
  it.each<[Record<string, string>, Record<string, string[]>]>([
    [{ daterange: '' }, { daterange: [required] }],
    [{ daterange: '2026-04-01' }, { daterange: [form] }],
    [{ daterange: '2026-04-01|' }, { daterange: [form] }],
    [{ daterange: '|2026-04-01' }, { daterange: [form] }],
    [{ daterange: '2026-04-01|2026-04-02|2026-04-03' }, { daterange: [form] }],
    [{ daterange: '2026-04-01|2026-04-31' }, { daterange: [wrongDate] }],
    [{ daterange: '01.04.2026|30.04.2026' }, { daterange: [wrongDate] }],
    [{ daterange: '2026-04-02|2026-04-01' }, { daterange: ['The end of the range must not be before its start.'] }],
    [{ daterange: '2025-01-01|2026-01-02' }, { daterange: ['A range of more than 366 days needs is_async=true.'] }],
    [{ daterange: '2021-04-01|2026-04-01', is_async: 'true' }, { daterange: ['The range must not be longer than five years.'] }],
    [{ daterange: '2020-02-29|2025-03-01', is_async: 'true' }, { daterange: ['The range must not be longer than five years.'] }],
    [{ is_async: 'yes' }, { is_async: [wrongBoolean] }],
    [{ response_only: '2' }, { response_only: [wrongBoolean] }],
    [{ skip_zero_rows: 'no' }, { skip_zero_rows: [wrongBoolean] }],
    [{ config: '[]' }, { config: ['The exporter "generic" takes no config.'] }],
    [{ types: 'credit-tme:hours' }, { types: ['"credit-tme:hours" is not a valid choice. Did you mean "credit-time:hours"?'] }],
    [{ types: 'vacation' }, { types: ['"vacation" is not a valid choice. Did you mean "vacation:hours"?'] }],
    [
      { types: 'zzz|balance:days' },
      { types: ['"zzz" is not a valid choice.', '"balance:days" is not a valid choice. Did you mean "balance:hours"?'] },
    ],
    [{ types: 'balance:hours|sick:days|balance:hours' }, { types: ['"balance:hours" is repeated.'] }],
    [{ columns: 'frist-name' }, { columns: ['"frist-name" is not a valid choice. Did you mean "first-name"?'] }],
    [{ columns: 'value|value' }, { columns: ['The header "value" is repeated; "as" can distinguish the columns.'] }],
    [{ columns: 'value:as>X|date:as>X' }, { columns: ['The header "X" is repeated; "as" can distinguish the columns.'] }],
    [{ columns: 'custom.' }, { columns: ['"custom." is not a valid choice.'] }],
    [{ columns: 'value:round' }, { columns: ['"value:round": "round" needs a whole number from 0 to 6.'] }],
    [{ columns: 'value:round>7' }, { columns: ['"value:round>7": "round" needs a whole number from 0 to 6.'] }],
    [{ columns: 'value:abs>1' }, { columns: ['"value:abs>1": "abs" takes no value.'] }],
    [{ columns: 'value:factor>1,5' }, { columns: ['"value:factor>1,5": "factor" needs a decimal number such as 1.25.'] }],
    [{ columns: 'date:date>us' }, { columns: ['"date:date>us": "date" needs "de" or "iso".'] }],
    [{ columns: 'date:format' }, { columns: ['"date:format": "format" needs a pattern of YYYY YY MM M DD D HH mm ss.'] }],
    [{ columns: 'email:default>' }, { columns: ['"email:default>": "default" needs a text.'] }],
    [{ columns: 'email:as' }, { columns: ['"email:as": "as" needs a text.'] }],
    [{ columns: 'email:uper' }, { columns: ['"email:uper": "uper" is not a valid choice. Did you mean "upper"?'] }],
    [{ columns: 'email:upper:upper' }, { columns: ['"email:upper:upper": "upper" is repeated.'] }],
    [
      { columns: 'valeu:upper:upper:rund>1:as|email:uper:upper:upper:round>1' },
      {
        columns: [
          '"valeu:upper:upper:rund>1:as": "upper" is repeated.',
          '"valeu:upper:upper:rund>1:as": "rund" is not a valid choice. Did you mean "round"?',
          '"valeu:upper:upper:rund>1:as": "as" needs a text.',
          '"valeu" is not a valid choice. Did you mean "value"?',
          '"email:uper:upper:upper:round>1": "upper" is repeated.',
          '"email:uper:upper:upper:round>1": "uper" is not a valid choice. Did you mean "upper"?',
          '"email:uper:upper:upper:round>1": "round" does not apply to a text.',
        ],
      },
    ],
    [{ columns: 'email:round>1' }, { columns: ['"email:round>1": "round" does not apply to a text.'] }],
    [{ columns: 'date:hhmm' }, { columns: ['"date:hhmm": "hhmm" does not apply to a date.'] }],
    [{ columns: 'value:max>3' }, { columns: ['"value:max>3": "max" does not apply to a number.'] }],
    [{ columns: 'value:comma:fixed>2' }, { columns: ['"value:comma:fixed>2": "fixed" does not apply to a text.'] }],
    [{ filter: 'Hochbau' }, { filter: ['"Hochbau" does not have the form key=value.'] }],
    [{ filter: '=Hochbau' }, { filter: ['"=Hochbau" does not have the form key=value.'] }],
    [{ filter: 'departmnt=Hochbau' }, { filter: ['"departmnt" is not a valid choice. Did you mean "department"?'] }],
    [{ filter: 'archived=maybe' }, { filter: ['"archived=maybe": The value must be true, false or all.'] }],
    [{ filter: 'has-accounting-number=' }, { filter: ['"has-accounting-number=": Must be a valid boolean.'] }],
    [{ filter: 'hired-before=1.1.2026' }, { filter: [`"hired-before=1.1.2026": ${wrongDate}`] }],
    [{ filter: 'missing-type=vacatoin' }, { filter: ['"missing-type": "vacatoin" is not a valid choice. Did you mean "vacation"?'] }],
    [{ prefix: 'QUJ' }, { prefix: ['Must be valid base64 of UTF-8 text.'] }],
    [{ prefix: 'QR==' }, { prefix: ['Must be valid base64 of UTF-8 text.'] }],
    [{ prefix: '/w==' }, { prefix: ['Must be valid base64 of UTF-8 text.'] }],
    [{ prefix: 'QUJD', export_format: 'json' }, { prefix: ['Only the formats csv, plain and table take a prefix.'] }],
    [{ employee_ids: '|' }, { employee_ids: ['Must be a valid UUID.'] }],
    [{ employee_ids: 'abc' }, { employee_ids: ['Must be a valid UUID.'] }],
    [{ employee_ids: `${id(1)}|${id(1)}` }, { employee_ids: [`Duplicate id "${id(1)}".`] }],
    [
      { employee_ids: `${id(9)}|x|${id(9)}|${id(1)}` },
      { employee_ids: ['Must be a valid UUID.', `Duplicate id "${id(9)}".`, `Unknown id "${id(9)}".`] },
    ],
    [{ employee_group_ids: `${id(1)}|${id(11)}` }, { employee_group_ids: [`Unknown id "${id(1)}".`] }],
    [{ employee_group_ids: 'Hochbau' }, { employee_group_ids: ['Must be a valid UUID.'] }],
  ])('rejects %j', (parameters, errors) => {
    expect(errorsOf(parameters)).toEqual(errors);
  });
});

describe('the format of a request', () => {
  it.each([
    ['CSV', '"CSV" is not a valid choice. Did you mean "csv"?'],
    ['yaml', '"yaml" is not a valid choice.'],
    ['xlsx', '"xlsx" needs response_only=true.'],
    ['csv:', 'An option has no name.'],
    ['csv:delimeter>;', 'Option "delimeter" is not a valid choice. Did you mean "delimiter"?'],
    ['csv:delimiter>;;', 'Option "delimiter" needs one character.'],
    ['csv:delimiter>%0A', 'Option "delimiter" needs one character.'],
    ['csv:delimiter', 'Option "delimiter" needs one character.'],
    ['csv:delimiter>%22', 'Options "delimiter" and "quotechar" must differ.'],
    ['csv:quote>some', 'Option "quote" needs "minimal" or "all" or "none".'],
    ['csv:newline>cr', 'Option "newline" needs "crlf" or "lf".'],
    ['csv:header>2', 'Option "header" needs true or false.'],
    ['csv:decimal>;', 'Option "decimal" needs "." or ",".'],
    ['csv:bom:bom:delimeter>;', '"bom" is repeated.', 'Option "delimeter" is not a valid choice. Did you mean "delimiter"?'],
    ['cvs::', 'An option has no name.', '"cvs" is not a valid choice. Did you mean "csv"?'],
    ['csv:encoding>latin1', 'Option "encoding" needs "utf-8" or "windows-1252".'],
    ['csv:formulas>drop', 'Option "formulas" needs "escape" or "raw".'],
    ['csv:bom:encoding>windows-1252', 'Option "bom" needs the encoding utf-8.'],
    ['csv:delimiter>ł:encoding>windows-1252', 'Options "delimiter" and "quotechar" must exist in windows-1252.'],
    ['json:indent>2', 'Option "indent" is not a valid choice.'],
  ])('rejects the format %j', (text, ...messages) => {
    expect(errorsOf({ export_format: text })).toEqual({ export_format: messages });
  });

  it('rejects xlsx in an envelope, also for a background export', () => {
    expect(errorsOf({ export_format: 'xlsx', is_async: 'true' })).toEqual({ export_format: ['"xlsx" needs response_only=true.'] });
  });
});

describe('the problems of a request', () => {
  it('include headers and prefixes that cannot be encoded', () => {
    const windows = { export_format: 'csv:encoding>windows-1252' };
    expect(errorsOf({ ...windows, columns: 'value:as>Łohn', prefix: 'xYE=' })).toEqual({
      columns: ['The header "Łohn" has characters that windows-1252 cannot encode.'],
      prefix: ['The prefix has characters that windows-1252 cannot encode.'],
    });
  });

  it('include texts of modifiers that cannot be encoded', () => {
    const columns = 'comment:default>%E2%86%92|start:format>D%E2%80%86M|email:default>–:as>x';
    expect(errorsOf({ export_format: 'csv:encoding>windows-1252', columns })).toEqual({
      columns: [
        'The text "→" has characters that windows-1252 cannot encode.',
        'The text "D\u2006M" has characters that windows-1252 cannot encode.',
      ],
    });
  });

  it('are reported together for all parameters', () => {
    const parameters = {
      daterange: '',
      export_format: 'csv:quote>x:nope',
      types: 'a:b|c:d',
      filter: 'x',
      employee_ids: 'y',
      is_async: 'z',
    };
    expect(errorsOf(parameters)).toEqual({
      is_async: [wrongBoolean],
      daterange: [required],
      export_format: ['Option "nope" is not a valid choice.', 'Option "quote" needs "minimal" or "all" or "none".'],
      types: ['"a:b" is not a valid choice.', '"c:d" is not a valid choice.'],
      filter: ['"x" does not have the form key=value.'],
      employee_ids: ['Must be a valid UUID.'],
    });
  });

  it('are limited to 50 per parameter, each of limited length', () => {
    const long = 'x'.repeat(150);
    const types = [long, ...Array.from({ length: 60 }, (_, index) => `unknown-${String(index)}`)];
    const { types: messages } = errorsOf({ types: types.join('|') }) as { types: string[] };
    expect(messages).toHaveLength(51);
    expect(messages[0]).toBe(`"${'x'.repeat(100)}…" is not a valid choice.`);
    expect(messages[50]).toBe('11 more.');
  });

  it('are limited to 3 KB per parameter, which fits into a response', () => {
    const types = Array.from({ length: 45 }, (_, index) => `${String(index)}-${'x'.repeat(90)}`);
    const { types: messages } = errorsOf({ types: types.join('|') }) as { types: string[] };
    expect([messages.length, messages.at(-1)]).toEqual([26, '20 more.']);
  });
});

describe('the exporter and the echo of a request', () => {
  it.each([
    ['payroll_c', 'not_found'],
    ['Generic', 'not_found'],
    ['constructor', 'not_found'],
  ])('rejects the exporter %j as %s', (exporter, code) => {
    expect(errorsOf({}, exporter)).toBe(code);
    expect(() => parseExportRequest(exporter, {}, directory)).toThrow(AppError);
  });

  it('accepts the longest ranges', () => {
    const parse = (daterange: string, is_async: string): unknown =>
      parseExportRequest('generic', { daterange, is_async }, directory).echo.daterange;
    expect(parse('2024-01-01|2024-12-31', 'false')).toEqual(['2024-01-01', '2024-12-31']);
    expect(parse('2025-04-01|2026-04-01', '0')).toEqual(['2025-04-01', '2026-04-01']);
    expect(parse('2021-04-01|2026-03-31', 'TRUE')).toEqual(['2021-04-01', '2026-03-31']);
    expect(parse('2020-02-29|2025-02-28', '1')).toEqual(['2020-02-29', '2025-02-28']);
  });

  it('echoes defaults for missing parameters', () => {
    const parameters = { daterange: EASTER, types: '', columns: '|', employee_ids: '', config: '', is_async: '' };
    const request = parseExportRequest('generic', parameters, directory);
    expect(request.echo).toEqual({
      is_async: false,
      skip_zero_rows: true,
      exporter: 'generic',
      export_format: 'csv',
      daterange: ['2026-04-01', '2026-04-07'],
      employee_ids: null,
      types: null,
      columns: null,
      response_only: false,
      prefix: null,
      filter: null,
    });
    expect(request.sections).toHaveLength(1);
    const { types, columns } = sectionOf(parameters);
    expect(types.map((type) => type.id)).toEqual(['credit-time:hours']);
    expect(columns.map(({ header }) => header)).toEqual(['last-name', 'first-name', 'type', 'value']);
    expect([contentType(request), fileName(request)]).toEqual(['application/json', undefined]);
  });

  it('echoes the parameters', () => {
    const sent = {
      daterange: EASTER,
      export_format: 'csv:delimiter>%3B',
      employee_ids: `${id(1).toUpperCase()}||${id(2)}`,
      employee_group_ids: id(11),
      types: 'balance:hours|vacation:days',
      columns: 'full-name|value:round>1:as>Std.',
      filter: 'department=Hochbau|q!=x',
      prefix: 'QUJDCg==',
      response_only: 'True',
      is_async: '1',
      skip_zero_rows: '0',
      unknown: 'ignored',
    };
    const request = parseExportRequest('generic', sent, directory);
    expect(request.echo).toEqual({
      is_async: true,
      skip_zero_rows: false,
      exporter: 'generic',
      export_format: 'csv:delimiter>%3B',
      daterange: ['2026-04-01', '2026-04-07'],
      employee_ids: [anna.id, bernd.id],
      types: ['balance:hours', 'vacation:days'],
      columns: ['full-name', 'value:round>1:as>Std.'],
      response_only: true,
      prefix: 'QUJDCg==',
      filter: 'department=Hochbau|q!=x',
    });
    expect(request.isAsync).toBe(true);
    expect([contentType(request), fileName(request)]).toEqual(['text/csv; charset=utf-8', 'generic-2026-04-01-2026-04-07.csv']);
  });

  it('accepts the ids of archived staff', () => {
    expect(sectionOf({ employee_ids: carla.id }).employeeIds).toEqual(new Set([carla.id]));
  });
});
