import { describe, expect, it } from '@jest/globals';
import { exportWarnings } from './export-warnings.js';

const warning = (code: string, about: string) => ({ code, about, message: 'Anna Abel.' });

describe('exportWarnings', () => {
  it('counts warnings by code and lists their subjects, without names', () => {
    expect(exportWarnings([warning('a', '7'), warning('b', 'parental'), warning('a', '"Ä\\8\r\n')])).toBe(
      'a;count=2;about="7 ??\u003f8??", b;count=1;about="parental"',
    );
  });

  const many = (code: string, count: number) => Array.from({ length: count }, (_, n) => warning(code, String(100_000 + n)));

  it('is undefined without warnings, and shortened if it would be too long', () => {
    expect(exportWarnings([])).toBeUndefined();
    expect(exportWarnings([...many('a', 1000), warning('b', '2026-03')])).toBe('a;count=1000, b;count=1;about="2026-03"');
  });

  it('leaves space for the other headers in the 4 KiB that proxies read, whatever the warnings are', () => {
    const codes = [
      'staff-left-out',
      'shared-accounting-number',
      'unusable-accounting-number',
      'absence-without-wage-code',
      'review-unknown',
    ];
    for (const count of [1, 100, 250, 270, 300, 500, 600]) {
      const header = exportWarnings(codes.flatMap((code) => many(code, count))) ?? '';
      expect(header.length).toBeLessThanOrEqual(2048);
      expect(header.split(', ').map((item) => item.split(';', 2).join())).toEqual(codes.map((code) => `${code},count=${String(count)}`));
    }
  });
});
