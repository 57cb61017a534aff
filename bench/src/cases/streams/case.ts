import type { Case } from '../../harness/types.js';
import { layouts } from './layouts.js';

const module = new URL('./variants/layout.js', import.meta.url);

export const streams: Case = {
  name: 'streams',
  goals: ['streams'],
  title: 'events of many institutions in JetStream: memory of the server, rates, restarts, filters',
  sizes: { quick: 2_000, full: 200_000 },
  variants: Object.fromEntries(Object.keys(layouts).map((name) => [name, { module }])),
  ratios: [
    { goal: 'streams', measure: 'takeCpuMs', of: 'deletions-apart', to: 'one-stream', target: 0.5 },
    { goal: 'streams', measure: 'moreUs', of: 'deletions-apart', to: 'one-stream', target: 1.2 },
    { goal: 'streams', measure: 'recoveredMb', of: 'one-stream', to: 410, target: 1, note: 'MiB, with 200,000 institutions' },
  ],
  async prepare() {
    return {
      values: {},
      notes: ['three events of 400 bytes per institution, in files; a new NATS server for each run'],
      before: async (variant) => ({ layout: variant }),
      close: async () => undefined,
    };
  },
};
