import { utf8 } from '../encodings/text-encoding.js';
import type { Format, Section } from './format.js';
import { oneOf, optionReference, readOptions } from './options.js';
import { workbook } from './xlsx/workbook.js';

interface XlsxOptions {
  readonly header: 'ids' | 'de';
  readonly numbers: 'plain' | 'de';
}

const options = {
  header: oneOf(['ids', 'de'], 'ids', {
    title: 'Kopfzeile',
    description: 'ids: die Namen der Spalten, wie sie abgefragt werden; de: ihre deutschen Bezeichnungen. "as" geht vor. Vorgabe: ids.',
    example: 'export_format=xlsx:header>de',
  }),
  numbers: oneOf(['plain', 'de'], 'plain', {
    title: 'Zahlenformat',
    description:
      'plain: Zahlen ohne Format; de: Mengen mit zwei Nachkommastellen, oder so vielen, wie "round" lässt, und Tausenderpunkt. Vorgabe: plain.',
    example: 'export_format=xlsx:header>de:numbers>de',
  }),
};

/** An Excel workbook (ECMA-376) with typed cells. */
export const xlsx: Format = {
  id: 'xlsx',
  title: 'Excel',
  description: 'Excel-Arbeitsmappe mit echten Zahlen, Daten und Uhrzeiten; nur mit response_only=true.',
  example: 'export_format=xlsx',
  options: optionReference(options),
  configure: (given, report) => {
    const { header, numbers } = readOptions<XlsxOptions>(options, given, report);
    return {
      contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      extension: 'xlsx',
      content: 'binary',
      encoding: utf8,
      bom: false,
      point: '.',
      write: (sections) => workbook(header === 'de' ? sections.map(withTitles) : sections, { hasGermanNumbers: numbers === 'de' }),
    };
  },
};

function withTitles(section: Section): Section {
  return { ...section, columns: section.columns.map((column) => ({ ...column, header: column.title })) };
}
