import { parseLocalDateTime } from '@stechuhr/worktime';
import PDFDocument from 'pdfkit';
import { cleanLine } from '../text/clean-text.js';
import { PAGE } from '../layout/theme.js';

/** The metadata of the document that PDF readers show. */
export interface DocumentInfo {
  readonly title: string;
  readonly author: string;
  readonly subject: string;
  /** Local time. */
  readonly createdAt: string;
}

export type Document = InstanceType<typeof PDFDocument>;

/** Creates an empty document without pages, suitable for archiving (PDF/A-2b) and tagged for screen readers. */
export function createDocument({ title, author, subject, createdAt }: DocumentInfo): Document {
  const document = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    lang: 'de-DE',
    tagged: true,
    // Prevents pdfkit from loading Helvetica for every document.
    font: '',
    // The fonts keep the words that reports repeat; pdfkit would keep each word until the end of the document.
    fontLayoutCache: false,
    subset: 'PDF/A-2b',
    displayTitle: true,
    info: {
      Title: cleanLine(title),
      Author: cleanLine(author),
      Subject: cleanLine(subject),
      Creator: 'Stechuhr',
      CreationDate: instantOf(createdAt),
    },
  });
  return withShortEnd(withPlainNames(document));
}

/** Converts local time, which reports use, to an instant, which PDF metadata needs. */
function instantOf(local: string): Date {
  const parsed = parseLocalDateTime(local);
  if (parsed.kind !== 'ok') throw new Error(`"${local}" is no local time: ${parsed.kind}`);
  return new Date(parsed.instant * 1000);
}

/** Internal API of pdfkit: writes the entries of `info` to the metadata, which is an XML document. */
interface Described {
  info: Record<string, unknown>;
  _addInfo(): void;
}

/** Escapes the texts of the metadata, since pdfkit does not: `Müller & Söhne` would result in invalid XML. */
function withPlainNames(document: Document): Document {
  const described = document as unknown as Described;
  const addInfo = described._addInfo.bind(document);
  described._addInfo = () => {
    const { info } = described;
    described.info = Object.fromEntries(
      Object.entries(info).map(([key, value]) => [key, typeof value === 'string' ? escaped(value) : value]),
    );
    addInfo();
    described.info = info;
  };
  return document;
}

/** Internal API of pdfkit: the end of the file, which lists the place of every object. */
interface Ending {
  _finalize(): void;
  _write(line: string): void;
}

/** The number of lines that are written together. */
const LINES = 10_000;

/** Writes the end of the file in few large pieces. For a bundle, a buffer for each of its million lines would take hundreds of megabytes. */
function withShortEnd(document: Document): Document {
  const ending = document as unknown as Ending;
  const finalize = ending._finalize.bind(document);
  const write = ending._write.bind(document);
  ending._finalize = () => {
    let lines: string[] = [];
    ending._write = (line) => {
      lines.push(line);
      if (lines.length < LINES && line !== LAST_LINE) return;
      write(lines.join('\n'));
      lines = [];
    };
    finalize();
  };
  return document;
}

const LAST_LINE = '%%EOF';

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
