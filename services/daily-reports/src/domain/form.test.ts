import { describe, expect, it } from '@jest/globals';
import { activeForm, builtInForm, fieldOf, type Form } from './form.js';
import { knownFields } from './known-fields.js';

const form = (id: string, validFrom: number): Form => ({ id, validFrom, fields: [{ id, type: 'string', label: id, config: {} }] });
const [march, may] = [form('march', 100), form('may', 160)];

describe('activeForm', () => {
  it.each([
    [0, 'march'],
    [99, 'march'],
    [100, 'march'],
    [159, 'march'],
    [160, 'may'],
    [999, 'may'],
  ])('of day %i is that of %s', (date, id) => {
    expect(activeForm([may, march], date).id).toBe(id);
  });

  it('is the built-in one if an organization has none', () => {
    expect(activeForm([], 100)).toBe(builtInForm);
  });
});

describe('knownFields', () => {
  it('covers every day once', () => {
    expect(knownFields([may, march]).map(({ from, until, fields }) => [from, until, fields.map(({ id }) => id)])).toEqual([
      [undefined, 159, ['march']],
      [160, undefined, ['may']],
    ]);
    expect(knownFields([]).map(({ from, until, fields }) => [from, until, fields.length])).toEqual([[undefined, undefined, 8]]);
  });
});

describe('fieldOf', () => {
  it('requires the same id and type', () => {
    expect(fieldOf(march, { fieldId: 'march', value: { type: 'string' } })?.label).toBe('march');
    expect(fieldOf(march, { fieldId: 'march', value: { type: 'activities' } })).toBeUndefined();
    expect(fieldOf(march, { fieldId: 'may', value: { type: 'string' } })).toBeUndefined();
  });
});
