import type { Case } from '../../harness/types.js';
import { preparePictures } from './pictures.js';
import { peer } from '../peer.js';

const variant = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });

export const reportPdf: Case = {
  name: 'report-pdf',
  goals: ['G16'],
  title: 'daily reports with 6 photos of 300 kB and 3 transparent signatures as PDF, libs/report-pdf compared with plain pdfkit',
  sizes: { quick: 6, full: 60 },
  variants: {
    'pdfkit-opaque': variant('pdfkit-opaque'),
    ours: variant('ours'),
    'ours-again': variant('ours-again'),
    pdfkit: variant('pdfkit'),
    'pdf-lib': peer('report-pdf/pdf-lib'),
  },
  equal: [['pdfkit-opaque', 'ours', 'ours-again', 'pdfkit', 'pdf-lib']],
  ratios: [
    { goal: 'G16', measure: 'wallMs', of: 'ours', to: 'pdfkit', target: 0.6, stretch: 0.2 },
    { goal: 'G16', measure: 'cpuMs', of: 'ours', to: 'pdfkit', target: 0.6, stretch: 0.2, note: 'sharp works outside of the event loop' },
    { goal: 'G16', measure: 'wallMs', of: 'ours-again', to: 'pdfkit', target: 0.6, stretch: 0.2, note: 'signatures flattened once' },
  ],
  prepare: () => preparePictures({ count: 6, width: 1400, height: 1050, noise: 30 }, 3),
};
