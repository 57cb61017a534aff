import type { ChosenColumn } from '../columns/choose-columns.js';
import { utf8 } from '../encodings/text-encoding.js';
import type { Format } from './format.js';
import { lineOf, type LinePart } from './line.js';
import { readOptions } from './options.js';
import { joined, type TextFile } from './text-file.js';

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
      write: (columns, runs) => joined(jsonFile(columns), runs),
    };
  },
};

function jsonFile(columns: readonly ChosenColumn[]): TextFile {
  const parts = columns.flatMap(({ header, cell, constant, numeric }, index): LinePart[] => {
    const print = numeric ? (text: string) => text : (text: string) => JSON.stringify(text);
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
  const object = lineOf([...parts, '}']);
  let separator = '';
  const line: TextFile['line'] = (row) => {
    const text = separator + object(row);
    separator = ',';
    return text;
  };
  return { head: '[', line, tail: () => ']' };
}
