import { describe, expect, it } from '@jest/globals';
import { asciiOf, nameAt } from './names.js';
import { namePools } from './words/people.js';

describe('nameAt', () => {
  it('returns each pair of a pool once before it repeats', () => {
    const pairs = namePools.turkish.male.length * namePools.turkish.last.length;
    const names = new Set(Array.from({ length: pairs }, (_, position) => JSON.stringify(nameAt('turkish', false, position))));
    expect(names.size).toBe(pairs);
  });

  it('has more than ten thousand German names, enough for a large company', () => {
    expect(namePools.german.male.length * namePools.german.last.length).toBeGreaterThan(10_000);
  });

  it('has no duplicates in a pool', () => {
    for (const pool of Object.values(namePools)) {
      for (const names of [pool.male, pool.female, pool.last]) expect(new Set(names).size).toBe(names.length);
    }
  });
});

describe('asciiOf', () => {
  it.each([
    ['Müller', 'mueller'],
    ['Łukasz', 'lukasz'],
    ['Yılmaz', 'yilmaz'],
    ["O'Brien", 'obrien'],
    ['Großkötz', 'grosskoetz'],
    ['İbrahim', 'ibrahim'],
    ['Đorđević', 'dordevic'],
    ['Côrte-Real', 'corte-real'],
  ])('converts %s to %s', (name, ascii) => {
    expect(asciiOf(name)).toBe(ascii);
  });
});
