import { describe, expect, it } from '@jest/globals';
import { cleanLine, cleanText } from './clean-text.js';

describe('cleanText', () => {
  it.each([
    ['composes letters', 'Z\u0307o\u0301łty', 'Żółty'],
    ['drops controls, soft hyphens, zero-width and direction marks', 'a\u0000\u0007b\u00adc\u200bd\u202ee\ufeff', 'abcde'],
    ['drops what is never drawn, of other scripts and of flags too', 'a\u061cb\u034fc\u3164d🏴\u{e0067}\u{e007f}e\u{e0100}', 'abcd🏴e'],
    ['drops what is no character, which XML cannot hold', 'a\ufffeb\uffffc', 'abc'],
    ['makes every space a plain or a non-breaking one', 'a\tb\u2003c\u202fd\u00a0e', 'a b c\u00a0d\u00a0e'],
    ['knows all line ends', 'a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
    ['keeps one empty line', ' a \n\n\n\n  b  c ', 'a\n\nb c'],
    ['keeps what belongs to pictures', '👷‍♂️ ⚠️ 👍🏽', '👷‍♂️ ⚠️ 👍🏽'],
    ['drops joiners and selectors elsewhere', 'a\u200db\ufe0f', 'ab'],
    ['mends broken surrogates', 'a\ud83db', 'a\ufffdb'],
    ['keeps minus and hyphen readable', '\u22125 \u2011x', '–5 -x'],
  ])('%s', (_, text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it('makes one line of many', () => {
    expect(cleanLine('Nord\n\n  Süd ')).toBe('Nord Süd');
  });
});
