import type { Case } from '../../harness/types.js';
import { peer } from '../peer.js';

const variant = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });

export const reviewChecks: Case = {
  name: 'review-checks',
  goals: ['G14'],
  title: 'the 14 checks of a month on records in memory, a single pass over integers compared with a luxon port with one function per rule',
  sizes: { quick: 6, full: 200 },
  variants: { ours: variant('ours'), 'luxon-port': peer('review-checks/luxon-port') },
  equal: [['ours', 'luxon-port']],
  ratios: [
    {
      goal: 'G14',
      measure: 'microsecondsAWorkday',
      of: 'luxon-port',
      to: 'ours',
      target: 50,
      stretch: 200,
      atLeast: true,
      note: 'after warm-up',
    },
  ],
};
