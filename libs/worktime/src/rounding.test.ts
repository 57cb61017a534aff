import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatNumber, roundHalfUp, roundRatio, roundedHours, sumOfDecimals } from './rounding.js';

describe('roundedHours', () => {
  it.each([
    [0, 2, 0],
    [18, 2, 0.01],
    [-18, 2, -0.01],
    [17, 2, 0],
    [-17, 2, 0],
    [26_802, 2, 7.45],
    [26_802, 1, 7.4],
    [27_000, 0, 8],
    [-27_000, 0, -8],
    [3618, 2, 1.01],
    [28_800, 2, 8],
    [1200, 2, 0.33],
    [2400, 2, 0.67],
    [1, 6, 0.000278],
    [2400, 20, 2 / 3],
  ])('converts %i s with %i places to %d', (seconds, decimals, expected) => {
    expect(roundedHours(seconds, decimals)).toBe(expected);
  });

  it('rounds to two places by default', () => {
    expect(roundedHours(2400)).toBe(0.67);
  });

  it('returns the nearest hundredth, halves away from zero, never −0', () => {
    fc.assert(
      fc.property(fc.integer({ min: -200_000_000, max: 200_000_000 }), (seconds) => {
        const units = (BigInt(Math.abs(seconds)) * 200n + 3600n) / 7200n;
        const rounded = roundedHours(seconds);
        expect(Math.round(Math.abs(rounded) * 100)).toBe(Number(units));
        expect(rounded).toBe(Number(rounded.toFixed(2)));
        expect(Object.is(rounded, -0)).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('roundRatio', () => {
  it('rounds by any denominator', () => {
    expect(roundRatio(-1, 200, 2)).toBe(-0.01);
    expect(roundRatio(90, 60, 0)).toBe(2);
    expect(roundRatio(-0, 60, 0)).toBe(0);
  });
});

describe('roundHalfUp', () => {
  it.each([
    [1.005, 2, 1.01],
    [-1.005, 2, -1.01],
    [-0.005, 2, -0.01],
    [0.0049, 2, 0],
    [-0.0049, 2, 0],
    [8.345, 2, 8.35],
    [2.5, 0, 3],
    [-2.5, 0, -3],
    [7, 2, 7],
    [-0, 2, 0],
    [1e-7, 2, 0],
    [1.5e-7, 8, 1.5e-7],
    [0.1 + 0.2, 2, 0.3],
    [1e21, 2, 1e21],
  ])('rounds %d with %i places to %d', (value, decimals, expected) => {
    expect(roundHalfUp(value, decimals)).toBe(expected);
  });

  it('rounds hours like the seconds that they consist of', () => {
    fc.assert(
      fc.property(fc.integer({ min: -5_000_000, max: 5_000_000 }), fc.integer({ min: 0, max: 4 }), (seconds, decimals) => {
        expect(roundHalfUp(seconds / 3600, decimals)).toBe(roundedHours(seconds, decimals));
      }),
      { numRuns: 5000 },
    );
  });
});

describe('formatNumber', () => {
  it.each([
    [8, '8'],
    [7.5, '7.5'],
    [7.449, '7.45'],
    [-0.004, '0'],
    [-7.1, '-7.1'],
    [1234.5, '1234.5'],
  ])('writes %d as %s', (value, expected) => {
    expect(formatNumber(value)).toBe(expected);
  });

  it('writes the given number of places', () => {
    expect(formatNumber(2 / 3, 4)).toBe('0.6667');
  });
});

describe('sumOfDecimals', () => {
  it('adds numbers by their decimal notation', () => {
    expect(sumOfDecimals([0.1, 0.2])).toBe(0.3);
    expect(sumOfDecimals([1.0025, 1.0025])).toBe(2.005);
    expect(sumOfDecimals([])).toBe(0);
  });
});
