import { utf8, type TextEncoding } from '../encodings/text-encoding.js';
import { windows1252 } from '../encodings/windows-1252.js';
import type { ChoiceOption } from '../grammar.js';
import type { Report } from '../problems.js';
import { character, flag, oneOf, readOptions } from './options.js';

/** The options of a csv file. */
export interface CsvOptions {
  readonly delimiter: string;
  readonly quote: 'minimal' | 'all' | 'none';
  readonly quotechar: string;
  readonly newline: 'crlf' | 'lf';
  readonly header: boolean;
  readonly decimal: '.' | ',';
  readonly bom: boolean;
  readonly encoding: TextEncoding['name'];
  readonly formulas: 'escape' | 'raw';
}

/** The definitions of the options of csv (docs/rules/exports.md#csv). */
export const csvOptions = {
  delimiter: character(',', {
    title: 'Trennzeichen',
    description: 'Ein Zeichen zwischen den Zellen; %09 ist der Tabulator. Vorgabe: Komma.',
    example: 'export_format=csv:delimiter>%3B',
  }),
  quote: oneOf(['minimal', 'all', 'none'], 'minimal', {
    title: 'Anführungszeichen',
    description: 'minimal: wo nötig, all: um jede Zelle, none: nie, auch wenn eine Zelle das Trennzeichen enthält. Vorgabe: minimal.',
    example: 'export_format=csv:quote>all',
  }),
  quotechar: character('"', {
    title: 'Zeichen der Anführung',
    description: 'Ein Zeichen, das in Zellen verdoppelt wird. Vorgabe: ".',
    example: "export_format=csv:quotechar>'",
  }),
  newline: oneOf(['crlf', 'lf'], 'crlf', {
    title: 'Zeilenende',
    description: 'crlf oder lf. Vorgabe: crlf.',
    example: 'export_format=csv:newline>lf',
  }),
  header: flag(true, {
    title: 'Kopfzeile',
    description: 'Ob die Namen der Spalten in der ersten Zeile stehen. Vorgabe: true.',
    example: 'export_format=csv:header>false',
  }),
  decimal: oneOf(['.', ','], '.', {
    title: 'Dezimalzeichen',
    description: 'Punkt oder Komma in Zahlen. Vorgabe: Punkt.',
    example: 'export_format=csv:decimal>%2C',
  }),
  bom: flag(false, {
    title: 'Byte Order Mark',
    description: 'Ob die Datei mit einem Byte Order Mark beginnt, an dem Excel UTF-8 erkennt. Vorgabe: false.',
    example: 'export_format=csv:bom>true',
  }),
  encoding: oneOf(['utf-8', 'windows-1252'], 'utf-8', {
    title: 'Zeichensatz',
    description: 'utf-8 oder windows-1252; ein Zeichen, das es dort nicht gibt, ist ein Fehler. Vorgabe: utf-8.',
    example: 'export_format=csv:encoding>windows-1252&columns=accounting-number|value',
  }),
  formulas: oneOf(['escape', 'raw'], 'escape', {
    title: 'Formeln',
    description: 'escape: Texte, die Tabellenprogramme als Formel läsen, beginnen mit einem Apostroph; raw: unverändert. Vorgabe: escape.',
    example: 'export_format=csv:formulas>raw',
  }),
};

const encodings: Readonly<Record<TextEncoding['name'], TextEncoding>> = { 'utf-8': utf8, 'windows-1252': windows1252 };

/** Returns the encoding of a csv file. */
export function encodingOf(options: CsvOptions): TextEncoding {
  return encodings[options.encoding];
}

/** Reads the options of a request and reports contradictions. */
export function readCsvOptions(given: readonly ChoiceOption[], report: Report): CsvOptions {
  const options = readOptions<CsvOptions>(csvOptions, given, report);
  if (options.delimiter === options.quotechar) report('Options "delimiter" and "quotechar" must differ.');
  if (options.bom && options.encoding !== 'utf-8') report('Option "bom" needs the encoding utf-8.');
  if (!encodingOf(options).canEncode(options.delimiter + options.quotechar)) {
    report(`Options "delimiter" and "quotechar" must exist in ${options.encoding}.`);
  }
  return options;
}
