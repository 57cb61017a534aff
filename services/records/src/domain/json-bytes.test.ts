import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonBytes } from './json-bytes.js';

describe('jsonBytes', () => {
  it.each([
    ['a text', 'abc', 5],
    ['an empty text', '', 2],
    ['quotation marks and backslashes, which are escaped', '"\\', 6],
    ['a line feed, which is escaped', '\n', 4],
    ['another control character', '\u0001', 8],
    ['an umlaut', 'ä', 4],
    ['an emoji', '😀', 6],
    ['half an emoji, which is escaped', '\ud83d', 8],
    ['an integer', -120, 4],
    ['a boolean', false, 5],
    ['null', null, 4],
    ['an instant', new Date('2026-03-31T06:00:00Z'), 26],
    ['an instant after the year 9999', new Date('+010000-01-01T00:00:00Z'), 29],
    ['an instant before the year 0', new Date(-62_167_219_200_001), 29],
    ['an empty list', [], 2],
    ['a list', [1, 'a', null], 12],
    ['an empty object', {}, 2],
    ['an object', { a: 1, ä: [] }, 15],
    ['an object with an undefined value', { a: 1, b: undefined }, 7],
  ])('counts the bytes of %s', (_name, value, bytes) => {
    expect(jsonBytes(value)).toBe(bytes);
  });

  it('equals the length of the text', () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        fc.string({ unit: 'binary' }),
        fc.double(),
        fc.boolean(),
        fc.constantFrom(null, undefined),
        fc.date(),
        fc.array(tie('value')),
        fc.dictionary(fc.string(), tie('value')),
      ),
    }));
    const list = fc.array(value);
    fc.assert(fc.property(list, (data) => expect(jsonBytes(data)).toBe(Buffer.byteLength(JSON.stringify(data)))));
  });
});
