import { describe, expect, it } from '@jest/globals';
import { cleanLine, cleanText } from './clean-text.js';

describe('cleanText', () => {
  it.each([
    ['composes letters from their parts', 'Z\u0307o\u0301łty', 'Żółty'],
    ['removes control characters, soft hyphens, zero-width and direction marks', 'a\u0000\u0007b\u00adc\u200bd\u202ee\ufeff', 'abcde'],
    [
      'removes invisible characters, including those of other scripts and of flags',
      'a\u061cb\u034fc\u3164d🏴\u{e0067}\u{e007f}e\u{e0100}',
      'abcd🏴e',
    ],
    ['removes noncharacters, which XML cannot contain', 'a\ufffeb\uffffc', 'abc'],
    ['replaces every space by a plain or a non-breaking one', 'a\tb\u2003c\u202fd\u00a0e', 'a b c\u00a0d\u00a0e'],
    ['recognises all line endings', 'a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
    ['keeps one empty line', ' a \n\n\n\n  b  c ', 'a\n\nb c'],
    ['keeps joiners, selectors and modifiers of emoji', '👷‍♂️ ⚠️ 👍🏽', '👷‍♂️ ⚠️ 👍🏽'],
    ['removes joiners and selectors elsewhere', 'a\u200db\ufe0f', 'ab'],
    ['keeps eight marks on a letter', `a${'\u0335'.repeat(10_000)}b\u0335`, `a${'\u0335'.repeat(8)}b\u0335`],
    ['replaces lone surrogates', 'a\ud83db', 'a\ufffdb'],
    ['keeps minus and hyphen readable', '\u22125 \u2011x', '–5 -x'],
  ])('%s', (_, text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it('joins several lines to one', () => {
    expect(cleanLine('Nord\n\n  Süd \u00a0\n\u00a0West ')).toBe('Nord Süd West');
  });

  it('takes time in proportion to the length of a text, also of non-breaking spaces', () => {
    const text = `a${'\u00a0'.repeat(100_000)}b`;
    // With the square of the length it would take about ten seconds of CPU time.
    const before = process.cpuUsage();
    expect(cleanLine(text)).toBe(text);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  });
});
