import { getDocumentProxy } from 'unpdf';
import { createReportRenderer } from '../render-report.js';
import type { Report, ReportField } from '../report.js';

export const renderer = createReportRenderer();

export function reportOf(fields: readonly ReportField[], changes: Partial<Report> = {}): Report {
  return {
    organization: 'Hochbau Brandstätter GmbH',
    project: { name: 'Neubau Kita', code: 'P-014', address: 'Lindenallee 12, 80331 München', client: 'Stadt München' },
    date: '2026-10-21',
    status: 'submitted',
    renderedAt: '2026-10-21T17:42:10',
    fields,
    ...changes,
  };
}

export function workers(count: number): ReportField {
  const entries = Array.from({ length: count }, (_, index) => ({
    name: `Person ${(index + 1).toString()}`,
    position: 'Maurer',
    hours: 7.5,
  }));
  return { type: 'employee-working-times', label: 'Mitarbeitende', entries };
}

export function remarks(...values: readonly string[]): ReportField {
  return { type: 'string', label: 'Bemerkungen', entries: values.map((value) => ({ value, author: null, at: null })) };
}

export async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** The contents of a PDF, read with another library. */
export interface ReadPdf {
  /** The texts of each page, in the order in which they are written. */
  readonly pages: readonly (readonly string[])[];
  /** Names of the fonts in the file. */
  readonly fonts: readonly string[];
  readonly info: Readonly<Record<string, unknown>>;
  /** The number of pictures on each page. */
  readonly pictures: readonly number[];
  /** The structure elements of each page. */
  readonly roles: readonly (readonly string[])[];
}

export async function readPdf(bytes: Buffer): Promise<ReadPdf> {
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const pages = await Promise.all(Array.from({ length: document.numPages }, (_, index) => document.getPage(index + 1)));
  const { info } = await document.getMetadata();
  const contents = await Promise.all(
    pages.map(async (page) => {
      const { items } = await page.getTextContent();
      const { fnArray } = await page.getOperatorList();
      return {
        texts: items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item.str] : [])),
        // 85 is paintImageXObject.
        pictures: fnArray.filter((operator) => operator === 85).length,
        roles: rolesOf(await page.getStructTree()),
      };
    }),
  );
  return {
    pages: contents.map(({ texts }) => texts),
    pictures: contents.map(({ pictures }) => pictures),
    roles: contents.map(({ roles }) => roles),
    info: info as Record<string, unknown>,
    fonts: Array.from(bytes.toString('latin1').matchAll(/\/BaseFont \/([\w+-]+)/g), ([, name = '']) => name),
  };
}

interface StructNode {
  readonly role?: string;
  readonly children?: readonly unknown[];
}

function rolesOf(node: unknown): string[] {
  const { role, children = [] } = (node ?? {}) as StructNode;
  return [...(role === undefined ? [] : [role]), ...children.flatMap(rolesOf)];
}

/** Renders a report and reads it back. */
export async function rendered(fields: readonly ReportField[], changes: Partial<Report> = {}): Promise<ReadPdf> {
  return readPdf(await bytesOf(renderer.render(reportOf(fields, changes))));
}
