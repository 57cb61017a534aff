import { describe, expect, it } from '@jest/globals';
import { SheetNames } from './sheet-names.js';

function namesOf(...titles: (string | null)[]): readonly string[] {
  const names = new SheetNames(titles);
  return titles.map((_, index) => names.first(index));
}

describe('SheetNames', () => {
  it.each([
    ['Zeiten', 'Zeiten'],
    [null, 'Export'],
    ['  ', 'Export'],
    ['a[b]c:d*e?f/g\\h', 'a_b_c_d_e_f_g_h'],
    ["'Zitat'", '_Zitat_'],
    ["Anna's", "Anna's"],
    [`${'x'.repeat(29)}' und mehr`, `${'x'.repeat(29)}_`],
    ['Zeile\n2', 'Zeile_2'],
    ['x'.repeat(40), 'x'.repeat(31)],
    [`${'x'.repeat(30)}😀`, 'x'.repeat(30)],
    ['Mu\u0308nchen', 'München'],
    ['History', 'History (2)'],
  ])('converts the title %j to %j', (title, name) => {
    expect(namesOf(title)).toEqual([name]);
  });

  it('makes names unique regardless of case, within 31 characters', () => {
    expect(namesOf('A', 'a', 'A (2)', null, null)).toEqual(['A', 'a (2)', 'A (2) (2)', 'Export', 'Export (2)']);
    expect(namesOf('Süd', 'Su\u0308d')).toEqual(['Süd', 'Süd (2)']);
    expect(namesOf('x'.repeat(31), 'x'.repeat(35))).toEqual(['x'.repeat(31), `${'x'.repeat(27)} (2)`]);
  });

  it('does not give additional sheets the name of another section', () => {
    const names = new SheetNames(['A', 'A (2)']);
    expect([names.next(0), names.next(0), names.next(1)]).toEqual(['A (3)', 'A (4)', 'A (2) (2)']);
  });
});
