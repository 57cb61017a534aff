import { createReadStream } from 'node:fs';
import { createReportRenderer } from '@stechuhr/report-pdf';
import type { Outcome, RunInput } from '../../harness/types.js';
import { ourPhoto, ourReport } from '../report-pdf/our-report.js';
import type { PictureFiles } from '../report-pdf/pictures.js';

/** Photos of one report. */
const PHOTOS = { quick: 3, full: 12 };
/** Reports of a check, which only looks whether all photos are there. */
const CHECKED = 2;

/** The photos of a report; there are fewer files. */
export function photoPaths({ values, quick }: RunInput): readonly string[] {
  const { photos } = values as unknown as PictureFiles;
  return Array.from({ length: quick ? PHOTOS.quick : PHOTOS.full }, (_, index) => photos[index % photos.length] ?? '');
}

/** How many reports at once. */
export function reportsAtOnce({ size, checking }: RunInput): number {
  return checking ? Math.min(size, CHECKED) : size;
}

/** Renders reports at once; what comes out is read and dropped. */
export async function renderAtOnce(input: RunInput, reports: number): Promise<Outcome> {
  const renderer = createReportRenderer();
  const photos = photoPaths(input).map((path, index) => ourPhoto(() => createReadStream(path), index));
  const drained = (): Promise<number> => countPictures(renderer.render(ourReport(photos, [])));
  const pictures = await Promise.all(Array.from({ length: reports }, drained));
  return { digest: digestOf(pictures) };
}

/** pdfkit writes this once for each picture. */
const MARK = '/Filter /DCTDecode';

/** How many pictures go by; a mark may lie across two chunks. */
export async function countPictures(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<number> {
  let pictures = 0;
  let rest = '';
  for await (const chunk of chunks) {
    const text = rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
    pictures += text.split(MARK).length - 1;
    rest = text.slice(1 - MARK.length);
  }
  return pictures;
}

export function digestOf(pictures: readonly number[]): string {
  return [...new Set(pictures)].join(' ');
}
