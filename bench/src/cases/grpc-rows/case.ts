import type { Case } from '../../harness/types.js';

const variant = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });
const measure = 'wallMs';

export const grpcRows: Case = {
  name: 'grpc-rows',
  goals: ['G12'],
  title: 'workdays from one process to another, as records streams them, beside bare TCP with the same codec and other batches',
  sizes: { quick: 5_000, full: 365_000 },
  variants: {
    tcp: variant('tcp'),
    ours: variant('ours'),
    'batch-2000': variant('batch-2000'),
    'batch-500': variant('batch-500'),
    'batch-50': variant('batch-50'),
    'batch-1': variant('batch-1'),
  },
  equal: [['tcp', 'ours', 'batch-2000', 'batch-500', 'batch-50', 'batch-1']],
  ratios: [
    { goal: 'G12', measure, of: 'ours', to: 'tcp', target: 2.2, stretch: 1.8 },
    { goal: 'G12', measure, of: 'batch-1', to: 'ours', target: 5, stretch: 7, atLeast: true, note: 'a row a message' },
  ],
};
