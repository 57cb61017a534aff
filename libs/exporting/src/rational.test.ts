import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { roundRatio } from '@stechuhr/worktime';
import { parseRational, printClock, printFixed, printShort, rational, roundTo } from './rational.js';

describe('the formats of a rational number', () => {
  it.each([
    // 26,802 s equal 7.445 h.
    [26_802, 3600, '7.45', '7.445', '7', '7:27'],
    [27_000, 3600, '7.5', '7.500', '8', '7:30'],
    [28_800, 3600, '8', '8.000', '8', '8:00'],
    [360_000, 3600, '100', '100.000', '100', '100:00'],
    [-18, 3600, '-0.01', '-0.005', '0', '0:00'],
    [-17, 3600, '0', '-0.005', '0', '0:00'],
    [-5430, 3600, '-1.51', '-1.508', '-2', '-1:31'],
    [0, 1, '0', '0.000', '0', '0:00'],
  ])('formats %j / %j', (amount, per, ...texts) => {
    const value = rational(amount, per);
    expect([printShort(value, 2), printFixed(value, 3), printShort(value, 0), printClock(value)]).toEqual(texts);
  });

  it('agree with the rounding of worktime', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.constantFrom(1, 2, 60, 3600),
        fc.integer({ min: 0, max: 4 }),
        (amount, per, decimals) => {
          expect(printShort(rational(amount, per), decimals)).toBe(String(roundRatio(amount, per, decimals)));
        },
      ),
    );
  });
});

describe('roundTo', () => {
  it.each([
    [5, 2, 'half-up', 3],
    [-5, 2, 'half-up', -3],
    [5, 2, 'floor', 2],
    [-5, 2, 'floor', -3],
    [5, 2, 'ceil', 3],
    [-5, 2, 'ceil', -2],
    [-4, 2, 'floor', -2],
  ] as const)('rounds %j/%j with %s to %j', (amount, per, rounding, whole) => {
    expect(roundTo(rational(amount, per), 1n, rounding)).toEqual({ n: BigInt(whole), d: 1n });
  });
});

describe('parseRational', () => {
  it.each([
    ['1.25', { n: 125n, d: 100n }],
    ['-0.5', { n: -5n, d: 10n }],
    ['7', { n: 7n, d: 1n }],
    ['1,25', undefined],
    ['.5', undefined],
    ['1e3', undefined],
    ['', undefined],
    ['1234567890123456', undefined],
  ])('parses %j', (text, value) => {
    expect(parseRational(text)).toEqual(value);
  });
});
