import type { Format, Section } from './format.js';
import { csvOptions, encodingOf, readCsvOptions, type CsvOptions } from './csv-options.js';
import { lineOf, type LinePart } from './line.js';
import { optionReference } from './options.js';
import { joined, sectionHead, type SectionText } from './text-file.js';

/** Characters with which spreadsheet programs begin a formula. */
const FORMULA = '[=+\\-@\\t\\r]';
const AT_START = new RegExp(`^(?=${FORMULA})`, 'g');
/** German Excel always reads `;` as the delimiter and `"` as the quote of a csv file, and splits pasted text at tabs. */
const EXCEL_SPLITS = '[;\\t\\r\\n]';
const WHERE_EXCEL_SPLITS = new RegExp(`(^|${EXCEL_SPLITS})(?="*${FORMULA})`, 'g');

type Rewrite = (text: string) => string;

/** Comma-separated values (RFC 4180), with the variants that spreadsheets and payroll programs need. */
export const csv: Format = {
  id: 'csv',
  title: 'CSV',
  description: 'Eine Zeile je Datensatz, mit Optionen für Trennzeichen, Anführung, Zeichensatz und mehr.',
  example: 'export_format=csv:delimiter>%3B:decimal>%2C',
  options: optionReference(csvOptions),
  configure: (given, report) => {
    const options = readCsvOptions(given, report);
    const encoding = encodingOf(options);
    return {
      contentType: `text/csv; charset=${encoding.name}`,
      extension: 'csv',
      content: 'text',
      encoding,
      bom: options.bom,
      point: options.decimal,
      write: (sections) => joined(sections, (section, index) => csvSection(section, index, options)),
    };
  },
};

function csvSection(section: Section, index: number, options: CsvOptions): SectionText {
  const { columns } = section;
  const end = options.newline === 'crlf' ? '\r\n' : '\n';
  const quote = quoter(options);
  const text = options.formulas === 'raw' ? quote : withoutFormulas(quote, options);
  // The only cell of a row must not be printed as a blank line: many readers skip blank lines, and in `multi` they separate sections.
  const empty = columns.length === 1 && options.quote !== 'none' ? options.quotechar.repeat(2) : '';
  const parts = columns.flatMap(({ cell, constant, fromNumber }, position): LinePart[] => {
    const rewrite = fromNumber ? quote : text;
    const encoded = { constant, encode: (row: Parameters<typeof cell>[0]) => rewrite(cell(row)) || empty };
    return position === 0 ? [encoded] : [options.delimiter, encoded];
  });
  const cells = section.firstRow ?? [];
  const firstRow = cells.length === 0 ? '' : cells.map(text).join(options.delimiter) + end;
  const header = options.header ? columns.map((column) => text(column.header)).join(options.delimiter) + end : '';
  return {
    head: sectionHead(section, index, end, text) + firstRow + header,
    line: lineOf([...parts, end]),
    tail: () => '',
  };
}

/**
 * Escapes formulas: inserts an apostrophe at the beginning of texts that spreadsheets would evaluate, and inside of texts where Excel could
 * split them. A single test detects that most cells need no change.
 */
function withoutFormulas(quote: Rewrite, options: CsvOptions): Rewrite {
  const asExcelReads = options.delimiter === ';' && options.quotechar === '"' && options.quote !== 'none';
  const places = asExcelReads ? AT_START : WHERE_EXCEL_SPLITS;
  const rewrite: Rewrite = (cell) => quote(cell.replace(places, "$&'"));
  if (options.quote !== 'minimal') return rewrite;
  const dangerous = asExcelReads ? `^${FORMULA}` : `^(?:"|${FORMULA})|${EXCEL_SPLITS}`;
  const special = new RegExp(`${dangerous}|${needsQuotes(options)}`, 'u');
  return (cell) => (special.test(cell) ? rewrite(cell) : cell);
}

function quoter(options: CsvOptions): Rewrite {
  const { quote, quotechar } = options;
  if (quote === 'none') return (cell) => cell;
  const enclose: Rewrite = (cell) => quotechar + cell.replaceAll(quotechar, () => quotechar + quotechar) + quotechar;
  if (quote === 'all') return enclose;
  const special = new RegExp(needsQuotes(options), 'u');
  return (cell) => (special.test(cell) ? enclose(cell) : cell);
}

function needsQuotes({ delimiter, quotechar }: CsvOptions): string {
  return `[${codePoint(delimiter)}${codePoint(quotechar)}\\r\\n]`;
}

/** Escapes a character for a regular expression. */
function codePoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
