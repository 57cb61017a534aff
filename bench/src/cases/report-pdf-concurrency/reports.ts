import { createReadStream } from 'node:fs';
import { createReportRenderer } from '@stechuhr/report-pdf';
import type { Outcome, RunInput } from '../../harness/types.js';
import { ourPhoto, ourReport } from '../report-pdf/our-report.js';
import type { PictureFiles } from '../report-pdf/pictures.js';

/** Number of photos in one report. */
const PHOTOS = { quick: 3, full: 12 };
/** Number of reports in a check, which only verifies that all photos are present. */
const CHECKED_REPORTS = 2;

/** Returns the paths of the photos of a report. They repeat, because there are fewer files than photos. */
export function photoPaths({ values, quick }: RunInput): readonly string[] {
  const { photos } = values as unknown as PictureFiles;
  return Array.from({ length: quick ? PHOTOS.quick : PHOTOS.full }, (_, index) => photos[index % photos.length] ?? '');
}

/** Returns the number of reports to render concurrently. */
export function reportsAtOnce({ size, checking }: RunInput): number {
  return checking ? Math.min(size, CHECKED_REPORTS) : size;
}

/** Renders reports concurrently; the output is only counted, not kept. */
export async function renderAtOnce(input: RunInput, reports: number): Promise<Outcome> {
  const renderer = createReportRenderer();
  const photos = photoPaths(input).map((path, index) => ourPhoto(() => createReadStream(path), index));
  const drained = (): Promise<number> => countPictures(renderer.render(ourReport(photos, [])));
  const pictures = await Promise.all(Array.from({ length: reports }, drained));
  return { digest: digestOf(pictures) };
}

/** pdfkit writes this text once for each JPEG picture. */
const MARK = '/Filter /DCTDecode';

/** Counts the pictures in a PDF. A mark may be split across two chunks. */
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
