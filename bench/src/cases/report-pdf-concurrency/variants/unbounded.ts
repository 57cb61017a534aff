import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { naiveReport } from '../../report-pdf/naive-pdfkit.js';
import type { Run } from '../../../harness/types.js';
import { countPictures, digestOf, photoPaths, reportsAtOnce } from '../reports.js';

/** Reads, resizes and embeds all photos of all reports concurrently, without any limit. */
export const run: Run = async (input) => {
  const paths = photoPaths(input);
  const small = async (path: string): Promise<Buffer> =>
    sharp(await readFile(path))
      .resize({ width: 1600, height: 1600, fit: 'inside' })
      .jpeg({ quality: 82 })
      .toBuffer();
  const report = async (): Promise<number> => countPictures([await naiveReport(await Promise.all(paths.map(small)), [])]);
  return { digest: digestOf(await Promise.all(Array.from({ length: reportsAtOnce(input) }, report))) };
};
