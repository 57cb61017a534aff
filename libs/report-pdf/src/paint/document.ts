import PDFDocument from 'pdfkit';
import { cleanLine } from '../text/clean-text.js';
import { PAGE } from '../layout/theme.js';

/** What a reader of PDF shows about the document. */
export interface DocumentInfo {
  readonly title: string;
  readonly author: string;
  readonly subject: string;
  /** Local. */
  readonly createdAt: string;
}

export type Document = InstanceType<typeof PDFDocument>;

/** An empty document, tagged for screen readers, without pages. */
export function createDocument({ title, author, subject, createdAt }: DocumentInfo): Document {
  return new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    lang: 'de-DE',
    tagged: true,
    displayTitle: true,
    info: {
      Title: cleanLine(title),
      Author: cleanLine(author),
      Subject: cleanLine(subject),
      Creator: 'Stechuhr',
      CreationDate: new Date(`${createdAt}Z`),
    },
  });
}
