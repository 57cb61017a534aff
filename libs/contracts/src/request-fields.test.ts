import { describe, expect, it } from '@jest/globals';
import { requireCounts, requireDay, requireInstant, requirePage } from './request-fields.js';

const atLeast = (min: number) => [`Ensure this value is greater than or equal to ${String(min)}.`];
const tooLarge = ['Ensure this value is less than or equal to 1000.'];

describe('requirePage', () => {
  it.each([
    { limit: 1, offset: 0 },
    { limit: 1_000, offset: Number.MAX_SAFE_INTEGER },
  ])('returns %j', (page) => {
    expect(requirePage({ ...page, parameters: {} })).toEqual({ ...page, parameters: {} });
  });

  it.each([
    [0, 0, { limit: atLeast(1) }],
    [1_001, 0, { limit: tooLarge }],
    [4_294_967_295, -1, { limit: tooLarge, offset: atLeast(0) }],
    [1, Number.MIN_SAFE_INTEGER, { offset: atLeast(0) }],
  ])('refuses limit %d and offset %d', (limit, offset, details) => {
    expect(() => requirePage({ limit, offset })).toThrow(expect.objectContaining({ code: 'invalid', details }));
  });
});

describe('requireDay', () => {
  // 0001-01-01, 1970-01-01 and 9999-12-31.
  it.each([-719_162, 0, 2_932_896])('returns %d', (day) => {
    expect(requireDay('on_day', day)).toBe(day);
  });

  it.each([-719_163, 2_932_897, -2_147_483_648, 2_147_483_647])('refuses %d', (day) => {
    expect(() => requireDay('on_day', day)).toThrow(
      expect.objectContaining({ code: 'invalid', details: { on_day: [expect.any(String)] } }),
    );
  });
});

describe('requireCounts', () => {
  it.each([{}, { rows: 0 }, { rows: 1, size_bytes: Number.MAX_SAFE_INTEGER }])('accepts %j', (counts) => {
    expect(() => requireCounts(counts)).not.toThrow();
  });

  it('refuses all that are negative', () => {
    expect(() => requireCounts({ rows: -1, size_bytes: Number.MIN_SAFE_INTEGER, attempt: 1 })).toThrow(
      expect.objectContaining({ code: 'invalid', details: { rows: atLeast(0), size_bytes: atLeast(0) } }),
    );
  });
});

describe('requireInstant', () => {
  // 1970-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
  it.each([0, 253_402_300_799])('returns %d', (second) => {
    expect(requireInstant('since', second)).toBe(second);
  });

  it.each([-1, 253_402_300_800, Number.MAX_SAFE_INTEGER])('refuses %d', (second) => {
    expect(() => requireInstant('since', second)).toThrow(
      expect.objectContaining({ code: 'invalid', details: { since: [expect.any(String)] } }),
    );
  });
});
