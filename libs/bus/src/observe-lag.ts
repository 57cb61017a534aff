import { setTimeout as delay } from 'node:timers/promises';
import type { Consumer } from '@nats-io/jetstream';
import type { ObservableResult } from '@opentelemetry/api';
import { lag } from './metrics.js';

/** An unavailable server does not answer for seconds; the other metrics do not wait for it. */
const LIMIT_MS = 1_000;

interface Observed {
  readonly stream: string;
  readonly consumer: Consumer;
}

/** What this process consumes from, by the name of the durable. */
const observed = new Map<string, Set<Observed>>();

/** Reports the backlog of a consumer, in all partitions together, whenever metrics are read, until the returned function is called. */
export function observeLag(durable: string, stream: string, consumer: Consumer): () => void {
  const one = { stream, consumer };
  const ofDurable = observed.get(durable) ?? new Set();
  if (observed.size === 0) lag.addCallback(observe);
  observed.set(durable, ofDurable.add(one));
  return () => {
    ofDurable.delete(one);
    if (ofDurable.size === 0) observed.delete(durable);
    if (observed.size === 0) lag.removeCallback(observe);
  };
}

async function observe(result: ObservableResult): Promise<void> {
  await Promise.all([...observed].map(([durable, ofDurable]) => observeDurable(result, durable, ofDurable)));
}

async function observeDurable(result: ObservableResult, durable: string, ofDurable: ReadonlySet<Observed>): Promise<void> {
  const consumers = new Map([...ofDurable].map(({ stream, consumer }) => [stream, consumer]));
  try {
    const infos = Promise.all([...consumers.values()].map((consumer) => consumer.info()));
    const known = await Promise.race([infos, delay(LIMIT_MS, undefined, { ref: false })]);
    const waiting = known?.reduce((sum, { num_pending, num_ack_pending }) => sum + num_pending + num_ack_pending, 0);
    if (waiting !== undefined) result.observe(waiting, { durable });
  } catch {
    // Without the server it is unknown; an old number, or that of some partitions, would be worse than none.
  }
}
