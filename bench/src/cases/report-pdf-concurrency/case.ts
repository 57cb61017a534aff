import type { Case } from '../../harness/types.js';
import { preparePictures } from '../report-pdf/pictures.js';

const variant = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });

export const reportPdfConcurrency: Case = {
  name: 'report-pdf-concurrency',
  goals: ['G17'],
  title: 'memory of many daily reports at once, each with 12 photos of 2 MB',
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
      note: 'peak memory; inputs in flight (at most 6 photos of 2 MB, and 3 finished ones for each report) are not taken off',
    },
  ],
  prepare: ({ quick }) =>
    preparePictures(quick ? { count: 1, width: 2000, height: 1500, noise: 25 } : { count: 3, width: 4000, height: 3000, noise: 25 }, 0),
};
