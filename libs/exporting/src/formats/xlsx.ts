import { utf8 } from '../encodings/text-encoding.js';
import type { Format } from './format.js';
import { readOptions } from './options.js';
import { workbook } from './xlsx/workbook.js';

/** An Excel workbook (ECMA-376) with typed cells. */
export const xlsx: Format = {
  id: 'xlsx',
  title: 'Excel',
  description: 'Excel-Arbeitsmappe mit echten Zahlen, Daten und Uhrzeiten; nur mit response_only=true.',
  example: 'export_format=xlsx',
  options: [],
  configure: (given, report) => {
    readOptions({}, given, report);
    return {
      contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      extension: 'xlsx',
      content: 'binary',
      encoding: utf8,
      bom: false,
      point: '.',
      write: (sections) => workbook(sections),
    };
  },
};
