import type { Case } from '../../harness/types.js';
import { peer } from '../peer.js';

// All outputs are read back by the same two readers, one of which is in bench/peers, so all variants are there.
const variant = (name: string) => peer(`xlsx-writer/${name}`);

export const xlsxWriter: Case = {
  name: 'xlsx-writer',
  goals: ['G6', 'G7'],
  title: 'rows with 12 columns as a workbook with the same cells in two readers, libs/exporting compared with other libraries',
  sizes: { quick: 500, full: 365_000 },
  variants: {
    floor: variant('floor'),
    ours: variant('ours'),
    exceljs: variant('exceljs'),
    'zlooun-exceljs': variant('zlooun-exceljs'),
    hucre: variant('hucre'),
  },
  equal: [['floor', 'ours', 'exceljs', 'zlooun-exceljs', 'hucre']],
  ratios: [
    { goal: 'G6', measure: 'wallMs', of: 'ours', to: 'exceljs', target: 0.7, stretch: 0.4 },
    { goal: 'G6', measure: 'rssMb', of: 'ours', to: 1, target: 150, stretch: 100, note: 'peak memory in MiB' },
    { goal: 'G6', measure: 'gapMs', of: 'ours', to: 1, target: 50, stretch: 20, note: 'longest gap of the event loop in ms' },
    {
      goal: 'G7',
      measure: 'wallMs',
      of: 'ours',
      to: 'floor',
      target: 1.5,
      stretch: 1.2,
      note: 'building and deflating the same XML sequentially',
    },
  ],
};
