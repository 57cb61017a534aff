import { csvFile } from './same-file.js';
import type { Case } from '../../harness/types.js';
import { peer } from '../peer.js';

const variant = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });

export const csvFormatter: Case = {
  name: 'csv-formatter',
  goals: ['G2'],
  title: 'rows with 12 columns as a byte-identical CSV file, libs/exporting compared with other libraries',
  sizes: { quick: 2_000, full: 365_000 },
  variants: {
    'raw-write': variant('raw-write'),
    ours: variant('ours'),
    'ours-unshared': variant('ours-unshared'),
    papaparse: peer('csv-formatter/papaparse'),
    'fast-csv': peer('csv-formatter/fast-csv'),
    'csv-stringify': variant('csv-stringify'),
  },
  equal: [['raw-write', 'ours', 'ours-unshared', 'papaparse', 'fast-csv', 'csv-stringify']],
  ratios: [
    { goal: 'G2', measure: 'wallMs', of: 'ours', to: 'csv-stringify', target: 0.6, stretch: 0.4 },
    { goal: 'G2', measure: 'wallMs', of: 'ours-unshared', to: 'csv-stringify', target: 0.6, stretch: 0.4, note: 'no cell known to repeat' },
  ],
  prepare: csvFile,
};
