import type { Case } from '../../harness/types.js';

const module = new URL('./variants/partitioned.js', import.meta.url);
const partitions: Readonly<Record<string, number>> = { 'one-stream': 1, 'two-streams': 2, 'four-streams': 4, 'eight-streams': 8 };
const measure = 'objectsPerSecond';

export const liveObjects: Case = {
  name: 'live-objects',
  goals: ['live-objects'],
  title: 'live objects through a NATS that syncs each message: one stream compared with partitions',
  sizes: { quick: 1_000, full: 40_000 },
  variants: Object.fromEntries(Object.keys(partitions).map((name) => [name, { module }])),
  onlyMeasured: ['two-streams', 'eight-streams'],
  ratios: [
    { goal: 'live-objects', measure, of: 'two-streams', to: 'one-stream', target: 1.2, atLeast: true },
    { goal: 'live-objects', measure, of: 'four-streams', to: 'one-stream', target: 1.4, atLeast: true },
    { goal: 'live-objects', measure, of: 'eight-streams', to: 'one-stream', target: 1.5, atLeast: true },
  ],
  async prepare() {
    return {
      values: {},
      notes: [
        '600 bytes each, of 1,000 institutions, by four publishers; taken by one consumer that does nothing; a new NATS server for each run',
      ],
      before: async (variant) => ({ partitions: partitions[variant] ?? 1 }),
      close: async () => undefined,
    };
  },
};
