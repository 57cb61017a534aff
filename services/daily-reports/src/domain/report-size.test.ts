import { describe, expect, it } from '@jest/globals';
import { refusalOfPdf, refusalOfSize, sizeOf } from './report-size.js';
import { refusalOfLog } from './status.js';

describe('sizeOf', () => {
  it('counts the bytes of texts, signatures included', () => {
    const comment = { type: 'string', value: '€' } as const;
    const signature = { type: 'signature', image: 'data:', role: null } as const;
    // `string` 6, `€` 3; `signature` 9, `data:` 5.
    expect(sizeOf([comment, signature])).toEqual({ entries: 2, bytes: 23 });
    expect(sizeOf([])).toEqual({ entries: 0, bytes: 0 });
  });
});

describe('refusalOfSize', () => {
  it.each([
    [10_000, 12_582_912, undefined],
    [10_001, 0, 'A report may not have more than 10000 entries.'],
    [1, 12_582_913, 'The entries of a report may not have more than 12582912 bytes.'],
  ])('%d entries of %d bytes: %s', (entries, bytes, refusal) => {
    expect(refusalOfSize({ entries, bytes })).toBe(refusal);
  });
});

describe('refusalOfPdf', () => {
  const most = { entries: 100, bytes: 2_000 };

  it.each([
    [100, 2_000, undefined],
    [101, 0, 'A PDF holds at most 100 entries; these are 101. Request fewer reports, or the format zip.'],
    [1, 2_001, 'A PDF holds at most 2000 bytes of entries; these are 2001. Request fewer reports, or the format zip.'],
  ])('%d entries of %d bytes: %s', (entries, bytes, refusal) => {
    expect(refusalOfPdf({ entries, bytes }, most)).toBe(refusal);
  });
});

describe('refusalOfLog', () => {
  const log = (length: number, reason: string | null) => Array.from({ length }, () => ({ reason }));

  it.each([
    [log(1_000, null), undefined],
    [log(1_001, null), 'A report may not change its status more than 1000 times.'],
    [log(64, '€'.repeat(5_461)), undefined],
    [log(65, '€'.repeat(5_461)), 'The reasons of a report may not have more than 1048576 bytes.'],
  ])('case %#', (changes, refusal) => {
    expect(refusalOfLog(changes)).toBe(refusal);
  });
});
