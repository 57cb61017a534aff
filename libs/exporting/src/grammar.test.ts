import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseChoice, printChoice } from './grammar.js';

describe('parseChoice', () => {
  it.each([
    ['csv', 'csv', []],
    ['csv:bom', 'csv', [['bom', null]]],
    ['csv:delimiter>;', 'csv', [['delimiter', ';']]],
    ['csv:delimiter>%3B', 'csv', [['delimiter', ';']]],
    ['csv:delimiter>%09:newline>lf', 'csv', [['delimiter', '\t'], ['newline', 'lf']]], // prettier-ignore
    ['csv:delimiter>:', 'csv', [['delimiter', ':']]],
    ['csv:delimiter>::header>false', 'csv', [['delimiter', ':'], ['header', 'false']]], // prettier-ignore
    ['csv:delimiter>>', 'csv', [['delimiter', '>']]],
    ['csv:delimiter>%', 'csv', [['delimiter', '%']]],
    ['csv:delimiter>|', 'csv', [['delimiter', '|']]],
    ['csv:quotechar>', 'csv', [['quotechar', '']]],
    ['value:as>A%7CB%3AC%3ED', 'value', [['as', 'A|B:C>D']]],
    ['value:default>:upper', 'value', [['default', ''], ['upper', null]]], // prettier-ignore
  ])('reads %j', (text, name, options) => {
    expect(parseChoice(text)).toEqual({ name, options: options.map(([option, value]) => ({ name: option, value })) });
  });

  it.each([
    ['csv:', 'An option has no name.'],
    ['csv::bom', 'An option has no name.'],
    ['csv:bom:bom>true', '"bom" is repeated.'],
    ['value:as>100%25%', 'The value of "as" is not percent-encoded correctly.'],
    ['value:as>%ZZ', 'The value of "as" is not percent-encoded correctly.'],
  ])('refuses %j', (text, problem) => {
    expect(parseChoice(text)).toBe(problem);
  });

  it('reads what printChoice writes', () => {
    const name = fc.stringMatching(/^[a-z][a-z-]{0,9}$/);
    const options = fc.uniqueArray(fc.record({ name, value: fc.option(fc.string({ unit: 'binary' }).filter(isWellFormed)) }), {
      selector: (option) => option.name,
    });
    fc.assert(
      fc.property(fc.record({ name, options }), (choice) => {
        expect(parseChoice(printChoice(choice))).toEqual(choice);
      }),
    );
  });
});

function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}
