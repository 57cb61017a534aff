import type { Case } from '../../harness/types.js';
import { peer } from '../peer.js';

const variant = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });

export const localTime: Case = {
  name: 'local-time',
  goals: ['G15'],
  title: 'instants as local date and time of Europe/Berlin, libs/worktime compared with other libraries',
  sizes: { quick: 20_000, full: 730_000 },
  variants: {
    'to-iso-string': variant('to-iso-string'),
    ours: variant('ours'),
    'cached-intl': variant('cached-intl'),
    luxon: peer('local-time/luxon'),
    'date-fns-tz': peer('local-time/date-fns-tz'),
  },
  equal: [['ours', 'cached-intl', 'luxon', 'date-fns-tz']],
  ratios: [
    { goal: 'G15', measure: 'wallMs', of: 'ours', to: 'to-iso-string', target: 1, stretch: 0.3 },
    { goal: 'G15', measure: 'wallMs', of: 'luxon', to: 'ours', target: 10, stretch: 60, atLeast: true },
  ],
};
