import { describe, expect, it } from '@jest/globals';
import { exportWarnings } from './export-warnings.js';

const warning = (code: string, about: string) => ({ code, about, message: 'Anna Abel.' });

describe('exportWarnings', () => {
  it('counts by code and says what they are about, without names', () => {
    expect(exportWarnings([warning('a', '7'), warning('b', 'parental'), warning('a', '"Ä\\8\r\n')])).toBe(
      'a;count=2;about="7 ??\u003f8??", b;count=1;about="parental"',
    );
  });

  it('is nothing where there are none, and no more than a header holds', () => {
    expect(exportWarnings([])).toBeUndefined();
    expect(exportWarnings(Array.from({ length: 1000 }, (_, n) => warning('a', `number ${String(n)}`)))).toBe('a;count=1000');
  });
});
