import { MAX_EXAMPLES, type Inspection } from '@stechuhr/kernel';
import type { Ports } from './ports.js';

/** Reports webhooks whose due deliveries no process sends. */
export function overdueWebhooks({ webhooks, clock }: Pick<Ports, 'webhooks' | 'clock'>): Inspection {
  return {
    check: 'overdue-webhooks',
    place: 'webhooks',
    async inspect({ olderThanMs }) {
      const { count, ids } = await webhooks.overdue(clock.now() - olderThanMs, MAX_EXAMPLES);
      return { count, examples: ids, repaired: 0 };
    },
  };
}
