import { describe, expect, it } from '@jest/globals';
import { compareNames } from './employee-order.js';

describe('compareNames', () => {
  it('follows German collation', () => {
    const sorted = [
      'abel',
      'Çelik',
      'Claus',
      'Häfner',
      'Hafner-Lutz',
      'Holzner',
      'Müller',
      'Muster',
      'Straßer',
      'Strauß',
      'Yılmaz',
      'Zander',
    ];
    expect(sorted.toReversed().sort(compareNames)).toEqual(sorted);
  });
});
