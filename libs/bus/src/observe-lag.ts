import { setTimeout as delay } from 'node:timers/promises';
import type { Consumer } from '@nats-io/jetstream';
import type { ObservableResult } from '@opentelemetry/api';
import { lag } from './metrics.js';

/** An unavailable server does not answer for seconds; the other metrics do not wait for it. */
const LIMIT_MS = 1_000;

/** Reports the backlog of a consumer whenever metrics are read, until the returned function is called. */
export function observeLag(durable: string, consumer: Consumer): () => void {
  const observe = async (result: ObservableResult): Promise<void> => {
    try {
      const info = await Promise.race([consumer.info(), delay(LIMIT_MS, undefined, { ref: false })]);
      if (info !== undefined) result.observe(info.num_pending + info.num_ack_pending, { durable });
    } catch {
      // Without the server it is unknown; an old number would be worse than none.
    }
  };
  lag.addCallback(observe);
  return () => lag.removeCallback(observe);
}
