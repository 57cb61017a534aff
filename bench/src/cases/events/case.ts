import { startNats } from '@stechuhr/local-infra';
import { connectBus } from '@stechuhr/bus';
import { createLogger } from '@stechuhr/service';
import type { Case } from '../../harness/types.js';

const variant = (name: string) => ({ module: new URL(`./variants/${name}.js`, import.meta.url) });
const measure = 'eventsPerSecond';

export const events: Case = {
  name: 'events',
  goals: ['G19', 'G20'],
  title: 'events through JetStream, libs/bus compared with the NATS client used directly',
  sizes: { quick: 500, full: 30_000 },
  variants: {
    'core-publish': variant('core-publish'),
    'awaited-publish': variant('awaited-publish'),
    'window-256': variant('window-256'),
    'ours-publish': variant('ours-publish'),
    'ours-outbox': variant('ours-outbox'),
    'empty-consume': variant('empty-consume'),
    'ours-consume': variant('ours-consume'),
  },
  equal: [
    ['awaited-publish', 'window-256', 'ours-publish', 'ours-outbox'],
    ['empty-consume', 'ours-consume'],
  ],
  ratios: [
    { goal: 'G19', measure, of: 'ours-publish', to: 'awaited-publish', target: 3, stretch: 4, atLeast: true },
    { goal: 'G19', measure, of: 'ours-outbox', to: 'awaited-publish', target: 3, stretch: 4, atLeast: true },
    { goal: 'G19', measure, of: 'ours-publish', to: 'core-publish', target: 0.067, stretch: 0.1, atLeast: true },
    { goal: 'G20', measure, of: 'ours-consume', to: 'empty-consume', target: 0.5, stretch: 0.8, atLeast: true },
  ],
  async prepare() {
    const nats = await startNats();
    const bus = await connectBus({ servers: nats.address, name: 'bench', logger: createLogger('bench', 'warn') });
    await bus.ensureStreams();
    await bus.close();
    return {
      values: { servers: nats.address },
      notes: ['a separate NATS server, streams in files, one replica'],
      close: () => nats.stop(),
    };
  },
};
