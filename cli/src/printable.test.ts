import { describe, expect, it } from '@jest/globals';
import { printable, printableLines } from './printable.js';

describe('printable', () => {
  it.each([
    ['Müller 👷', 'Müller 👷'],
    ['\u001b[2J\u001b[1;1Hnothing', '\\u001b[2J\\u001b[1;1Hnothing'],
    ['Payroll\nrevoked', 'Payroll\\u000arevoked'],
    ['a\rb\tc\u007f\u009b', 'a\\u000db\\u0009c\\u007f\\u009b'],
    ['gpj.\u202etxt', 'gpj.\\u202etxt'],
    ['\u2066a\u2069\u2028', '\\u2066a\\u2069\\u2028'],
  ])('shows %j as %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});

describe('printableLines', () => {
  it('keeps lines, tabs and colours of the command, and nothing else that a terminal obeys', () => {
    expect(printableLines('\u001b[31ma\u001b[39m\n\tb\u001b[8m\u001b]0;title\u0007')).toBe(
      '\u001b[31ma\u001b[39m\n\tb\\u001b[8m\\u001b]0;title\\u0007',
    );
  });
});
