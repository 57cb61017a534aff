import type { Case } from '../../harness/types.js';
import { preparePictures } from '../report-pdf/pictures.js';

const variant = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });

export const reportPdfConcurrency: Case = {
  name: 'report-pdf-concurrency',
  goals: ['G17'],
  title: 'memory for rendering many daily reports concurrently, each with 12 photos of 2 MB',
  sizes: { quick: 2, full: 20 },
  variants: { one: variant('one'), ours: variant('ours'), unbounded: variant('unbounded') },
  equal: [['one', 'ours', 'unbounded']],
  ratios: [
    {
      goal: 'G17',
      measure: 'rssMb',
      of: 'ours',
      to: 'one',
      target: 1.5,
      note: 'peak memory, including photos in flight (at most 6 of 2 MB, and 3 finished ones per report)',
    },
  ],
  prepare: ({ quick }) =>
    preparePictures(quick ? { count: 1, width: 2000, height: 1500, noise: 25 } : { count: 3, width: 4000, height: 3000, noise: 25 }, 0),
};
