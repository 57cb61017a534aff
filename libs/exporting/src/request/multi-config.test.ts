import { describe, expect, it } from '@jest/globals';
import { anna, bernd, directory, EASTER, errorsOf, id } from '../test/fixture.js';
import type { SectionRequest } from './export-request.js';
import { parseExportRequest } from './parse-request.js';

function errorsOfConfig(config: unknown, parameters: Record<string, string> = {}): unknown {
  return errorsOf({ ...parameters, config: typeof config === 'string' ? config : JSON.stringify(config) }, 'multi');
}

function partsOf(config: readonly unknown[], parameters: Record<string, string> = {}): readonly SectionRequest[] {
  return parseExportRequest('multi', { daterange: EASTER, ...parameters, config: JSON.stringify(config) }, directory).sections;
}

/** The meaning of a part, in terms of the request. */
function summaryOf(section: SectionRequest): unknown {
  const { title, types, columns, filters, employeeIds, employeeGroupIds, skipZeroRows, period } = section;
  return {
    title,
    types: types.map((type) => type.id),
    columns: columns.map(({ header }) => header),
    filters: filters.length,
    ids: [employeeIds, employeeGroupIds].map((ids) => ids && [...ids]),
    skipZeroRows,
    days: period.last - period.first + 1,
  };
}

describe('the config of multi', () => {
  it.each([
    ['', 'This field is required.'],
    ['[{', 'Value must be valid JSON.'],
    ['{"types": []}', 'Expected a list of items but got type "dict".'],
    ['"[]"', 'Expected a list of items but got type "str".'],
    ['7', 'Expected a list of items but got type "int".'],
    ['7.5', 'Expected a list of items but got type "float".'],
    ['true', 'Expected a list of items but got type "bool".'],
    ['null', 'Expected a list of items but got type "NoneType".'],
    ['[]', 'This list may not be empty.'],
    [JSON.stringify(Array.from({ length: 21 }, () => ({}))), 'Ensure this field has no more than 20 elements.'],
  ])('is rejected if it is %j', (config, message) => {
    expect(errorsOfConfig(config)).toEqual({ config: [message] });
  });

  it.each<[unknown, Record<string, string[]>]>([
    [7, { non_field_errors: ['Invalid data. Expected a dictionary, but got int.'] }],
    [null, { non_field_errors: ['Invalid data. Expected a dictionary, but got NoneType.'] }],
    [[], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }],
    [{ title: 7 }, { title: ['Not a valid string.'] }],
    [{ title: ' ' }, { title: ['This field may not be blank.'] }],
    [{ title: 'a\0b' }, { title: ['Null characters are not allowed.'] }],
    [{ title: 'x'.repeat(256) }, { title: ['Ensure this field has no more than 255 characters.'] }],
    [{ title: null }, { title: ['This field may not be null.'] }],
    [{ types: 'balance:hours' }, { types: ['Expected a list of items but got type "str".'] }],
    [{ types: [] }, { types: ['This list may not be empty.'] }],
    [{ types: ['balance:hours', 7] }, { types: ['Not a valid string.'] }],
    [{ types: ['balance:hour'] }, { types: ['"balance:hour" is not a valid choice. Did you mean "balance:hours"?'] }],
    [{ types: ['balance:hours', 'balance:hours'] }, { types: ['"balance:hours" is repeated.'] }],
    [{ columns: ['value', ''] }, { columns: ['This field may not be blank.', '"" is not a valid choice.'] }],
    [{ columns: ['valeu'] }, { columns: ['"valeu" is not a valid choice. Did you mean "value"?'] }],
    [{ filter: '' }, { filter: ['This field may not be blank.'] }],
    [{ filter: { q: 'a' } }, { filter: ['Expected a list of items but got type "dict".'] }],
    [{ filter: 'q=a|departmnt=x' }, { filter: ['"departmnt" is not a valid choice. Did you mean "department"?'] }],
    [{ skip_zero_rows: 'false' }, { skip_zero_rows: ['Must be a valid boolean.'] }],
    [{ daterange: EASTER }, { daterange: ['The range must have the form ["YYYY-MM-DD", "YYYY-MM-DD"].'] }],
    [{ daterange: ['2026-04-01'] }, { daterange: ['The range must have the form ["YYYY-MM-DD", "YYYY-MM-DD"].'] }],
    [{ daterange: ['2026-04-02', '2026-04-01'] }, { daterange: ['The end of the range must not be before its start.'] }],
    [{ daterange: ['2025-01-01', '2026-04-01'] }, { daterange: ['A range of more than 366 days needs is_async=true.'] }],
    [{ employee_ids: [anna.id, anna.id, id(9)] }, { employee_ids: [`Duplicate id "${anna.id}".`, `Unknown id "${id(9)}".`] }],
    [{ employee_group_ids: ['x'] }, { employee_group_ids: ['Must be a valid UUID.'] }],
    [{ colums: ['value'] }, { colums: ['"colums" is not a valid choice. Did you mean "columns"?'] }],
    [{ export_format: 'csv' }, { export_format: ['"export_format" holds for the whole request, not for a part.'] }],
    [{ constructor: 1 }, { constructor: ['"constructor" is not a valid choice.'] }],
  ])('reports the problems of the part %j at its position', (part, errors) => {
    expect(errorsOfConfig([{}, part, {}])).toEqual({ config: [{}, errors, {}] });
  });

  it('reports the problems of all parts and of the request together, and inherited ones once', () => {
    const parts = [{ types: ['x:y'], columns: ['zzz'] }, { daterange: ['a', 'b'] }, {}];
    expect(errorsOfConfig(parts, { columns: 'yyy', export_format: 'cvs' })).toEqual({
      export_format: ['"cvs" is not a valid choice. Did you mean "csv"?'],
      columns: ['"yyy" is not a valid choice.'],
      config: [
        { types: ['"x:y" is not a valid choice.'], columns: ['"zzz" is not a valid choice.'] },
        { daterange: ['Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'] },
        {},
      ],
    });
  });

  it('reports as many problems as fit, by position', () => {
    const parts = Array.from({ length: 20 }, (_, index) => ({ types: [`unknown-${String(index)}-${'x'.repeat(80)}`, 'y'.repeat(90)] }));
    const { config } = errorsOfConfig(parts) as { config: readonly Record<string, string[]>[] };
    expect(JSON.stringify(config).length).toBeLessThan(3500);
    expect(config[7]?.types?.[0]).toMatch(/^"unknown-7-/);
    expect(config.at(-1)).toEqual({ non_field_errors: ['There are problems here and possibly in later elements.'] });
  });

  it('counts characters of a title, not UTF-16 units', () => {
    const title = '🏗'.repeat(255);
    expect(partsOf([{ title }])).toMatchObject([{ title }]);
  });

  it('rejects titles that cannot be encoded', () => {
    expect(errorsOfConfig([{ title: 'Łódź' }], { export_format: 'csv:encoding>windows-1252' })).toEqual({
      config: [{ title: ['The title has characters that windows-1252 cannot encode.'] }],
    });
  });

  it('rejects a column with the name of the title column in json', () => {
    const columns = ['last-name:as>section'];
    expect(errorsOfConfig([{ columns }], { export_format: 'json' })).toEqual({
      config: [{ columns: ['The header "section" is taken by the title of the part.'] }],
    });
    expect(partsOf([{ columns }])).toHaveLength(1);
  });

  it('inherits fields that a part omits', () => {
    const parameters = { types: 'sick:days', columns: 'value', filter: 'q=a', employee_ids: anna.id, skip_zero_rows: 'false' };
    const own = {
      title: ' März ',
      types: ['balance:hours', 'vacation:days'],
      columns: ['last-name', 'value:as>A|B'],
      filter: 'q=a|department=Hochbau',
      daterange: ['2026-03-01', '2026-03-31'],
      employee_ids: [bernd.id.toUpperCase()],
      employee_group_ids: [id(11)],
      skip_zero_rows: true,
    };
    expect(partsOf([{}, own, { title: 'Rest', filter: ['q=a', 'q=b', 'q=c'] }], parameters).map(summaryOf)).toEqual([
      { title: null, types: ['sick:days'], columns: ['value'], filters: 1, ids: [[anna.id], null], skipZeroRows: false, days: 7 },
      {
        title: 'März',
        types: ['balance:hours', 'vacation:days'],
        columns: ['last-name', 'A|B'],
        filters: 2,
        ids: [[bernd.id], [id(11)]],
        skipZeroRows: true,
        days: 31,
      },
      { title: 'Rest', types: ['sick:days'], columns: ['value'], filters: 3, ids: [[anna.id], null], skipZeroRows: false, days: 7 },
    ]);
  });

  it('is not echoed', () => {
    const request = parseExportRequest('multi', { daterange: EASTER, config: '[{"types":["sick:days"]}]', columns: 'value' }, directory);
    expect(request.echo).toMatchObject({ exporter: 'multi', types: null, columns: ['value'], daterange: ['2026-04-01', '2026-04-07'] });
    expect(Object.keys(request.echo)).not.toContain('config');
  });

  it('allows longer periods in the background', () => {
    expect(partsOf([{ daterange: ['2024-01-01', '2026-04-01'] }], { is_async: 'true' })).toHaveLength(1);
  });
});
