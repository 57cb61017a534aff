import type { ChosenColumn } from '../columns/choose-columns.js';
import { utf8 } from '../encodings/text-encoding.js';
import type { Row } from '../row.js';
import type { Format, Section } from './format.js';
import { lineOf, type LinePart } from './line.js';
import { readOptions } from './options.js';
import { joined } from './text-file.js';

/** An array of row objects keyed by the headers of the columns. */
export const json: Format = {
  id: 'json',
  title: 'JSON',
  description: 'Ein Array von Objekten, deren Felder wie die Spalten heißen; Zahlen sind JSON-Zahlen, leere Zellen null.',
  example: 'export_format=json',
  options: [],
  configure: (given, report) => {
    readOptions({}, given, report);
    return {
      contentType: 'application/json',
      extension: 'json',
      content: 'json',
      encoding: utf8,
      bom: false,
      point: '.',
      write: jsonFile,
    };
  },
};

function jsonFile(sections: readonly Section[]): AsyncIterable<string> {
  let separator = '';
  return joined(sections, ({ columns }, index) => {
    const object = objectOf(columns);
    return {
      head: index === 0 ? '[' : '',
      line: (row) => {
        const text = separator + object(row);
        separator = ',';
        return text;
      },
      tail: () => (index === sections.length - 1 ? ']' : ''),
    };
  });
}

/** Characters that JSON escapes. Most texts contain none, and a test is cheaper than the serialiser. */
const ESCAPED = /["\\\0-\x1F\uD800-\uDFFF]/;

function objectOf(columns: readonly ChosenColumn[]): (row: Row) => string {
  const parts = columns.flatMap(({ header, cell, constant, numeric }, index): LinePart[] => {
    const print = numeric ? (text: string) => text : (text: string) => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`);
    return [
      `${index === 0 ? '{' : ','}${JSON.stringify(header)}:`,
      {
        constant,
        encode: (row) => {
          const text = cell(row);
          return text === '' ? 'null' : print(text);
        },
      },
    ];
  });
  return lineOf([...parts, '}']);
}
