import { utf8 } from '../encodings/text-encoding.js';
import type { Format, Section, TextFormat } from './format.js';
import { lineOf, type LinePart } from './line.js';
import { readOptions } from './options.js';
import { joined, sectionHead, type SectionText } from './text-file.js';

/** The common properties of the plain text formats. */
export const TEXT_FILE: Omit<TextFormat, 'write'> = {
  contentType: 'text/plain; charset=utf-8',
  extension: 'txt',
  content: 'text',
  encoding: utf8,
  bom: false,
  point: '.',
};

/** Tab-separated cells without a header. */
export const plain: Format = {
  id: 'plain',
  title: 'Text',
  description: 'Zellen durch Tabulatoren getrennt, ohne Kopfzeile; Tabulatoren und Zeilenumbrüche in Zellen werden Leerzeichen.',
  example: 'export_format=plain',
  options: [],
  configure: (given, report) => {
    readOptions({}, given, report);
    return { ...TEXT_FILE, write: (sections) => joined(sections, plainSection) };
  },
};

function plainSection(section: Section, index: number): SectionText {
  const parts = section.columns.flatMap(({ cell, constant }, position): LinePart[] => {
    const encoded: LinePart = { constant, encode: (row) => onOneLine(cell(row)) };
    return position === 0 ? [encoded] : ['\t', encoded];
  });
  const cells = section.firstRow ?? [];
  const firstRow = cells.length === 0 ? '' : `${cells.map(onOneLine).join('\t')}\n`;
  return { head: sectionHead(section, index, '\n', onOneLine) + firstRow, line: lineOf([...parts, '\n']), tail: () => '' };
}

/** Replaces the characters that end cells and lines by spaces. */
export function onOneLine(cell: string): string {
  return cell.replace(/\r\n|[\t\n\v\f\r\x85\u2028\u2029]/g, ' ');
}
