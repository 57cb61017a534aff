import { expect, it } from '@jest/globals';
import { CellProblem } from './cells.js';
import { byName, uniqueRecord } from './named.js';

const WORDS = { one: 'department', many: 'departments' };
const composed = 'S\u00fcd';
const decomposed = 'Su\u0308d';

it.each([
  [composed, composed],
  [composed, decomposed],
  [decomposed, composed],
  [decomposed, decomposed],
])('a record that is stored as %j is found as %j', (name, text) => {
  const records = byName([{ id: 'd1', name }], (record) => record.name);
  expect(uniqueRecord(records, text, WORDS).id).toBe('d1');
});

it('two records with the same name, however it is written, are not one', () => {
  const records = byName([{ name: composed }, { name: decomposed }, { name: '' }, { name: undefined }], (record) => record.name);
  expect(records.size).toBe(1);
  expect(() => uniqueRecord(records, composed, WORDS)).toThrow(new CellProblem('is the department of 2 departments'));
  expect(() => uniqueRecord(records, 'Sud', WORDS)).toThrow(new CellProblem('is no department of the institution'));
});
