import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { wrap } from './wrap.js';

/** Every character has width 1. */
const measure = { width: (text: string) => [...text].length };
const style = { weight: 'regular', size: 1 } as const;
const lines = (text: string, width: number): readonly string[] => wrap(text, width, style, measure);

describe('wrap', () => {
  it.each([
    ['at spaces', 'eins zwei drei', 9, ['eins zwei', 'drei']],
    ['where a line is exactly full', 'abcd efgh', 9, ['abcd efgh']],
    ['at line breaks of the text', 'a\n\nb', 9, ['a', '', 'b']],
    ['after punctuation in long words', 'plan/erdgeschoss.pdf', 12, ['plan/', 'erdgeschoss.', 'pdf']],
    ['between letters if there is no other way', 'abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['before a word that is too long, and continues after it on the same line', 'xy abcdefgh z', 5, ['xy', 'abcde', 'fgh z']],
    ['never inside a letter of several characters', 'a\u0301a\u0301a\u0301', 4, ['a\u0301a\u0301', 'a\u0301']],
  ])('breaks %s', (_, text, width, expected) => {
    expect(lines(text, width)).toEqual(expected);
  });

  it('keeps every character, and no line is too wide', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '-', '/', 'ß'), minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 40 }), (words, width) => {
        const broken = lines(words.join(' '), width);
        expect(broken.join('').replaceAll(' ', '')).toBe(words.join(''));
        expect(Math.max(...broken.map((line) => line.length))).toBeLessThanOrEqual(width);
      }),
    );
  });
});
