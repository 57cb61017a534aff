import { describe, expect, it } from '@jest/globals';
import { compareCodePoints } from './code-points.js';

describe('compareCodePoints', () => {
  it.each([
    ['a', 'a', 0],
    ['', 'a', -1],
    ['a', 'ab', -1],
    ['Z', 'a', -1],
    ['Zander', 'Ärmel', -1],
    ['\u{ffff}', '\u{1f600}', -1],
    ['\u{e000}', '\u{1f600}', -1],
    ['\u{d7ff}', '\u{1f600}', -1],
    ['\u{1f600}', '\u{1f601}', -1],
    ['x\u{1f600}', 'x', 1],
  ])('puts %j and %j in the order of their code points', (a, b, sign) => {
    expect(Math.sign(compareCodePoints(a, b))).toBe(sign);
    expect(Math.sign(compareCodePoints(b, a))).toBe(-sign || 0);
  });
});
