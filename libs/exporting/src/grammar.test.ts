import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { columnReference } from './columns/registry.js';
import { csv } from './formats/csv.js';
import { worded } from './problems.js';
import { parseChoice, printChoice, type Choice } from './grammar.js';
import { modifierReference } from './modifiers/registry.js';
import type { ExportRequest } from './request/export-request.js';
import { parseExportRequest } from './request/parse-request.js';
import { Row } from './row.js';
import { anna, directory, EASTER, sectionOf } from './test/fixture.js';

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
  ])('parses %j', (text, name, options) => {
    expect(read(text)).toEqual({ choice: { name, options: options.map(([option, value]) => ({ name: option, value })) }, problems: [] });
  });

  it.each([
    ['csv:', ['An option has no name.']],
    ['csv::bom', ['An option has no name.']],
    ['csv:>;', ['An option has no name.']],
    ['csv:bom:bom>true', ['"bom" is repeated.']],
    ['value:as>100%25%', ['The value of "as" is not percent-encoded correctly.']],
    ['value:as>%ZZ', ['The value of "as" is not percent-encoded correctly.']],
    ['csv::a:a:a:b>%Z:::c:c', ['An option has no name.', '"a" is repeated.', 'The value of "b" is not percent-encoded correctly.', '"c" is repeated.']], // prettier-ignore
  ])('rejects %j', (text, problems) => {
    expect(read(text).problems).toEqual(problems);
  });

  it('parses the output of printChoice', () => {
    const name = fc.stringMatching(/^[a-z][a-z-]{0,9}$/);
    const options = fc.uniqueArray(fc.record({ name, value: fc.option(fc.string({ unit: 'binary' }).filter(isWellFormed)) }), {
      selector: (option) => option.name,
    });
    fc.assert(
      fc.property(fc.record({ name, options }), (choice) => {
        expect(read(printChoice(choice))).toEqual({ choice, problems: [] });
      }),
    );
  });

  it('parses any accepted text to the same choice after printing', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ':', ':', '>', '%', '3', 'B', ';', '|', 'ü', '😀', ' ') });
    fc.assert(
      fc.property(text, (options) => {
        const { choice, problems } = read(`csv${options}`);
        fc.pre(problems.length === 0);
        expect(read(printChoice(choice))).toEqual({ choice, problems: [] });
      }),
    );
  });
});

function read(text: string): { choice: Choice; problems: readonly string[] } {
  const problems: string[] = [];
  const choice = parseChoice(text, (problem) => problems.push(worded(problem)));
  return { choice, problems };
}

function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

describe('any formats and columns of a request', () => {
  const value = fc.constantFrom('', '>1', '>2', '>de', '>;', '>%3B', '>%253B', '>:', '>%3a', '>true', '>0', '>all', '>lf', '>crlf', '>,', '>a', '>HH%3Amm', '>ü', '>%C3%BC', '>windows-1252', '>raw'); // prettier-ignore

  it('have the same meaning after parsing and printing', () => {
    const option = fc.tuple(fc.constantFrom(...csv.options.map(({ id }) => id)), value);
    const format = fc.array(option.map((parts) => `:${parts.join('')}`), { maxLength: 4 }); // prettier-ignore
    expectStable('export_format', format.map((options) => `csv${options.join('')}`), ({ format: { write: _, ...rest } }) => rest); // prettier-ignore
  });

  it('give the same cells', () => {
    const ids = columnReference.map(({ id }) => id.replace('<field>', 'Größe'));
    const modifier = fc.tuple(fc.constantFrom(...modifierReference.map(({ id }) => id)), value);
    const column = fc.tuple(fc.constantFrom(...ids), fc.array(modifier.map((parts) => `:${parts.join('')}`), { maxLength: 3 })); // prettier-ignore
    const row = exampleRow();
    expectStable(
      'columns',
      column.map(([id, modifiers]) => id + modifiers.join('')),
      ({ sections }) =>
        // prettier-ignore
        sections[0]?.columns.map(({ header, numeric, cell }) => [header, numeric, cell(row)]),
    );
  });
});

/** A row in which every field is set. */
function exampleRow(): Row {
  const [type] = sectionOf({ types: 'timespan:hours' }).types;
  if (type === undefined) throw new Error('There is no such type.');
  const row = new Row({ staff: anna, department: { id: 'd', name: 'Hochbau', costCenter: '4100' }, type });
  return Object.assign(row, { amount: 26_801, per: 3600, rounded: 7.44, day: 20_514, startedAt: 1_772_434_801, endedAt: 1_772_461_602, breakSeconds: 1799, comment: ' x ' }); // prettier-ignore
}

/** Checks that all accepted texts have the same meaning after parsing and printing, and that enough texts are accepted. */
function expectStable(parameter: string, texts: fc.Arbitrary<string>, meaningOf: (request: ExportRequest) => unknown): void {
  const parse = (text: string): unknown => meaningOf(parseExportRequest('generic', { daterange: EASTER, [parameter]: text }, directory));
  let accepted = 0;
  fc.assert(
    fc.property(texts, (text) => {
      let meaning: unknown;
      try {
        meaning = parse(text);
      } catch {
        return;
      }
      accepted += 1;
      expect(parse(printChoice(read(text).choice))).toEqual(meaning);
    }),
    { numRuns: 2000 },
  );
  expect(accepted).toBeGreaterThan(100);
}
