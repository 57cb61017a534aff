import { describe, expect, it } from '@jest/globals';
import { columnsOf, readMapping } from './mapping.js';

const ID = '5B7E0000-0000-4000-8000-000000000001';
const workday = (columns: object) => JSON.stringify({ kind: 'workday', institution_id: ID, columns });

describe('a mapping', () => {
  it('has the formats of German files by default', () => {
    expect(readMapping(workday({ employee_number: 'Nr', date: 'Tag', duration: 'Std' }))).toEqual({
      kind: 'workday',
      institution_id: ID.toLowerCase(),
      file: { encoding: 'utf-8', delimiter: ';', quote: '"' },
      formats: { date: 'dd.mm.yyyy', decimal: ',', duration: 'hours', break: 'minutes' },
      day_begins: '07:00',
      columns: { employee_number: 'Nr', date: 'Tag', duration: 'Std' },
    });
  });

  it.each([
    ['{"kind":', [expect.stringContaining('It is not valid JSON')]],
    ['{"kind":"invoice"}', [expect.stringContaining('kind: ')]],
    [
      JSON.stringify({ kind: 'employee', institution_id: 'x', columns: { nmber: 'Nr' } }),
      [expect.stringContaining('institution_id: '), expect.stringContaining('columns.number: '), expect.stringContaining('"nmber"')],
    ],
    [
      `{"kind":"employee","institution_id":"${ID}","columns":{"number":"Nr","custom_fields":{"__proto__":"A","constructor":"B"}}}`,
      ['columns.custom_fields: A custom field cannot be named __proto__.'],
    ],
    [
      `{"kind":"employee","institution_id":"${ID}","columns":{"number":"Nr"},"file":{"quote":";"}}`,
      ['file.quote: The quote and the delimiter are the same character.'],
    ],
    [workday({ date: 'Tag', duration: 'Std' }), ['columns: Name one of employee_number and accounting_number.']],
    [workday({ employee_number: 'Nr', date: 'Tag', begin: 'Von' }), ['columns: Name begin and end, or duration.']],
    [
      workday({ employee_number: 'Nr', date: 'Tag', begin: 'Von', end: 'Bis', duration: 'Std' }),
      ['columns: Name begin and end, or duration.'],
    ],
    [
      workday({ employee_number: 'Nr', date: 'Tag', begin: 'Von', end: 'Bis', break: 'P', break_begin: 'PV' }),
      ['columns: Name break_begin and break_end together.', 'columns: Name break, or break_begin and break_end.'],
    ],
  ])('%s is refused with everything that is wrong', (text, problems) => expect(readMapping(text)).toEqual(problems));

  it('names columns by field, those of custom fields under their text', () => {
    const columns = { number: 'Nr', custom_fields: { position: 'Funktion' } };
    const mapping = readMapping(JSON.stringify({ kind: 'employee', institution_id: ID, columns }));
    if (!('kind' in mapping)) throw new Error(mapping.join());
    expect([...columnsOf(mapping)]).toEqual([
      ['number', 'Nr'],
      ['custom_fields.position', 'Funktion'],
    ]);
  });
});
