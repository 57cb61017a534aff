import type { Case } from '../../harness/types.js';
import { peer } from '../peer.js';

const variant = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });

export const jsonFormatter: Case = {
  name: 'json-formatter',
  goals: ['G5'],
  title: 'rows with 12 columns as a byte-identical JSON file, libs/exporting compared with other ways to write JSON',
  sizes: { quick: 2_000, full: 365_000 },
  variants: {
    stringify: variant('stringify'),
    ours: variant('ours'),
    'ours-unshared': variant('ours-unshared'),
    'fast-json-stringify': peer('json-formatter/fast-json-stringify'),
    'one-shot': variant('one-shot'),
  },
  equal: [['stringify', 'ours', 'ours-unshared', 'fast-json-stringify', 'one-shot']],
  ratios: [
    { goal: 'G5', measure: 'wallMs', of: 'ours', to: 'stringify', target: 1.2, stretch: 1.05 },
    { goal: 'G5', measure: 'wallMs', of: 'ours-unshared', to: 'stringify', target: 1.2, stretch: 1.05, note: 'no cell known to repeat' },
    { goal: 'G5', measure: 'gapMs', of: 'ours', to: 1, target: 50, note: 'longest gap of the event loop in ms' },
  ],
};
