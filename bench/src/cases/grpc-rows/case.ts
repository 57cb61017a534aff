import type { Case } from '../../harness/types.js';

const variant = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });
const grpc = variant('grpc');
const measure = 'wallMs';
/** Rows per message. In `ours` the number varies, because a message consists of whole employees. */
const BATCHES: Readonly<Record<string, number>> = { 'batch-2000': 2000, 'batch-500': 500, 'batch-50': 50, 'batch-1': 1 };

export const grpcRows: Case = {
  name: 'grpc-rows',
  goals: ['G12'],
  title: 'workdays streamed from one process to another as records does, compared with plain TCP with the same codec and other batch sizes',
  sizes: { quick: 5_000, full: 365_000 },
  variants: {
    tcp: variant('tcp'),
    ours: grpc,
    'batch-2000': grpc,
    'batch-500': grpc,
    'batch-50': grpc,
    'batch-1': grpc,
  },
  equal: [['tcp', 'ours', 'batch-2000', 'batch-500', 'batch-50', 'batch-1']],
  ratios: [
    { goal: 'G12', measure, of: 'ours', to: 'tcp', target: 2.2, stretch: 1.8 },
    { goal: 'G12', measure, of: 'batch-1', to: 'ours', target: 5, stretch: 7, atLeast: true, note: 'one row per message' },
  ],
  prepare: async () => ({ values: {}, before: async (name) => ({ batch: BATCHES[name] ?? 0 }), close: async () => {} }),
};
