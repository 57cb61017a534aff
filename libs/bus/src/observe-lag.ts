import type { Consumer } from '@nats-io/jetstream';
import type { ObservableResult } from '@opentelemetry/api';
import { lag } from './metrics.js';

/** Tells the backlog of a consumer whenever metrics are read, until the returned function is called. */
export function observeLag(durable: string, consumer: Consumer): () => void {
  const observe = async (result: ObservableResult): Promise<void> => {
    try {
      const { num_pending, num_ack_pending } = await consumer.info();
      result.observe(num_pending + num_ack_pending, { durable });
    } catch {
      // Without the server nobody knows; an old number would be worse than none.
    }
  };
  lag.addCallback(observe);
  return () => lag.removeCallback(observe);
}
