import { describe, expect, it } from '@jest/globals';
import { fittingDetails } from './fitting-details.js';

const MORE = 'There are more problems.';
const texts = (count: number, of = 'a'): string[] =>
  Array.from({ length: count }, (_, index) => `"${of}${String(index)}" is not a valid choice.`);

describe('fittingDetails', () => {
  it('keeps few problems', () => {
    const details = { ids: ['Must be a valid UUID.'], rows: [{}, { type: ['x'] }] };
    expect(fittingDetails(details, 4000)).toEqual(details);
  });

  it('names every field with its first problems', () => {
    const details = { types: texts(60), daterange: ['This field is required.'], columns: texts(60, 'b') };
    const fitting = fittingDetails(details, 4000);
    expect(Object.keys(fitting)).toEqual(['types', 'daterange', 'columns']);
    expect(fitting.daterange).toEqual(details.daterange);
    for (const field of ['types', 'columns'] as const) {
      const named = fitting[field]?.slice(0, -1) ?? [];
      expect(named.length).toBeGreaterThan(40);
      expect(fitting[field]).toEqual([...details[field].slice(0, named.length), MORE]);
    }
    expect(Buffer.byteLength(JSON.stringify(fitting))).toBeLessThanOrEqual(4000);
  });

  it('gives a field what the others do not need', () => {
    const fitting = fittingDetails({ a: ['This field is required.'], b: texts(200), c: ['This field is required.'] }, 4000);
    expect(Buffer.byteLength(JSON.stringify(fitting))).toBeGreaterThan(3900);
  });

  it('keeps the positions of nested problems', () => {
    const config = Array.from({ length: 20 }, (_, index) => (index === 0 ? {} : { types: texts(10) }));
    const fitting = fittingDetails({ config, types: texts(60) }, 4000);
    const { length } = fitting.config ?? [];
    expect(length).toBeGreaterThan(2);
    expect(fitting.config).toEqual([...config.slice(0, length - 1), { non_field_errors: [MORE] }]);
    expect(fitting.types?.length).toBeGreaterThan(10);
  });

  it.each(['x', 'ü', '🏗', '\u0001'])('cuts a single problem of many %j that does not fit', (character) => {
    const fitting = fittingDetails({ ids: [character.repeat(10_000)], q: [character.repeat(10_000)] }, 4000);
    expect(Object.keys(fitting)).toEqual(['ids', 'q']);
    expect(JSON.stringify(fitting)).toContain('…');
    expect(JSON.stringify(fitting).isWellFormed()).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(fitting))).toBeLessThanOrEqual(4000);
  });

  it('leaves out the last of too many fields', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field_${String(index)}`, ['Dieses Feld ist ungültig.']]));
    const fitting = fittingDetails(many, 4000);
    expect(Object.entries(fitting)).toEqual(Object.entries(many).slice(0, Object.keys(fitting).length));
    expect(Object.keys(fitting).length).toBeGreaterThan(80);
  });
});
