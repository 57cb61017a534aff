import { AckPolicy, DeliverPolicy, type JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { streams, subscriptions, type Subscription } from '@stechuhr/contracts';
import { ackWaitFromEnvironment } from './config.js';
import { ensureStreams } from './ensure-streams.js';

/** Held by all replicas, or waiting for the next attempt: above what some replicas read ahead. */
const MAX_ACK_PENDING = 100_000;

/** What a durable consumer takes. */
export type ConsumerLine = Pick<Subscription, 'stream' | 'durable' | 'filterSubject'>;

/**
 * Creates the streams and durable consumers of the catalogue, or brings them up to date; safe from several processes at once.
 *
 * @param replicas copies of each stream; without it existing streams keep theirs
 * @returns the names of the streams that were not there
 */
export async function provision(manager: JetStreamManager, replicas?: number): Promise<string[]> {
  const created = await ensureStreams(manager, replicas);
  await Promise.all(subscriptions.map((line) => ensureConsumer(manager, line)));
  return created;
}

/** Creates a durable consumer, or brings it up to date; its ack wait is that of `NATS_ACK_WAIT_SECONDS`. */
export async function ensureConsumer(manager: JetStreamManager, { stream, durable, filterSubject }: ConsumerLine): Promise<void> {
  await manager.consumers.add(stream, {
    durable_name: durable,
    filter_subject: filterSubject,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ackWaitFromEnvironment()),
    // Attempts are counted by the handlers, so that a message is never dropped without a dead letter.
    max_deliver: -1,
    // Messages that wait for their next attempt count too; they must not hold up the others.
    max_ack_pending: MAX_ACK_PENDING,
  });
}

/** Asks for every stream and consumer of the catalogue. @throws JetStreamApiError for the first that is missing */
export async function checkProvisioned(manager: JetStreamManager): Promise<void> {
  await Promise.all([
    ...Object.values(streams).map(({ name }) => manager.streams.info(name)),
    ...subscriptions.map(({ stream, durable }) => manager.consumers.info(stream, durable)),
  ]);
}
