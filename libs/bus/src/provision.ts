import { setTimeout as delay } from 'node:timers/promises';
import { AckPolicy, DeliverPolicy, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { allStreams, subscriptionsOf, type Subscription } from '@stechuhr/contracts';
import { ackWaitFromEnvironment, type StreamSettings } from './config.js';
import { haveTheirSlots } from './ensure-event-streams.js';
import { ensureStreams } from './ensure-streams.js';
import type { When } from './ensure-stream.js';
import { readEventLayout } from './event-layout.js';
import { serverCodes } from './server-codes.js';

/** Held by all replicas, or waiting for the next attempt: above what some replicas read ahead. */
const MAX_ACK_PENDING = 100_000;

/** What a durable consumer of the platform takes. */
export type ConsumerLine = Pick<Subscription, 'stream' | 'durable' | 'filterSubject'>;
/** That of a subscriber, which may take several kinds of events. */
export type SubscriberLine = Pick<Subscription, 'stream' | 'durable'> & { readonly filterSubjects: readonly string[] };
type AnyLine = ConsumerLine | SubscriberLine;

/** What was not as it should be. */
export interface Provisioned {
  /** Names of the streams that were not there. */
  readonly created: readonly string[];
  /** Consumers that were ahead of their stream and have begun again. */
  readonly begunAgain: readonly ConsumerLine[];
}

/**
 * Creates the streams and durable consumers of the catalogue, or brings them up to date; safe from several processes at once.
 *
 * @param when an upgrade also gives existing streams what the settings name
 */
export async function provision(manager: JetStreamManager, settings: StreamSettings, when: When): Promise<Provisioned> {
  const created = await ensureStreams(manager, settings, when);
  const subscriptions = subscriptionsOf(await readEventLayout(manager));
  const wereAhead = await Promise.all(subscriptions.map((line) => ensureConsumer(manager, line)));
  return { created, begunAgain: subscriptions.filter((_, at) => wereAhead[at]) };
}

/**
 * Creates a durable consumer, or brings it up to date; its ack wait is that of `NATS_ACK_WAIT_SECONDS`. One that is ahead of its stream begins
 * again.
 *
 * @returns whether it was ahead
 */
export async function ensureConsumer(manager: JetStreamManager, line: AnyLine): Promise<boolean> {
  await addConsumer(manager, line);
  if (!(await isAheadForGood(manager, line))) return false;
  await beginAgain(manager, line);
  return true;
}

/** Creates a durable consumer anew: it is given everything that its stream has. */
export async function beginAgain(manager: JetStreamManager, line: AnyLine): Promise<void> {
  await manager.consumers.delete(line.stream, line.durable);
  await addConsumer(manager, line);
}

/** What a consumer that is there gets as well; its place stays. */
function changeable(line: AnyLine) {
  return {
    ...('filterSubject' in line ? { filter_subject: line.filterSubject } : { filter_subjects: [...line.filterSubjects] }),
    ack_wait: nanos(ackWaitFromEnvironment()),
    // Attempts are counted by the handlers, so that a message is never dropped without a dead letter.
    max_deliver: -1,
    // Messages that wait for their next attempt count too; they must not hold up the others.
    max_ack_pending: MAX_ACK_PENDING,
  };
}

async function addConsumer(manager: JetStreamManager, line: AnyLine): Promise<void> {
  const { stream, durable } = line;
  const fixed = { durable_name: durable, ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.All };
  try {
    await manager.consumers.add(stream, { ...fixed, ...changeable(line) });
  } catch (caught) {
    if (!(caught instanceof JetStreamApiError) || caught.code !== serverCodes.consumerExists) throw caught;
    await manager.consumers.update(stream, durable, changeable(line));
  }
}

/**
 * Asks for every stream and consumer of the catalogue.
 *
 * @returns whether a consumer is ahead of its stream, or a partition of the events lacks some of its slots
 * @throws JetStreamApiError for the first that is missing
 */
export async function isAnyAmiss(manager: JetStreamManager): Promise<boolean> {
  const layout = await readEventLayout(manager);
  await Promise.all(allStreams(layout).map((name) => manager.streams.info(name)));
  const found = await Promise.all(subscriptionsOf(layout).map((line) => isAhead(manager, line)));
  return found.includes(true) || (layout.streams > 1 && !(await haveTheirSlots(manager, layout)));
}

/** A server of a cluster may know less of the stream than the one that leads the consumer, for a moment. */
const BEHIND_MS = 1_000;

async function isAheadForGood(manager: JetStreamManager, line: AnyLine): Promise<boolean> {
  if (!(await isAhead(manager, line))) return false;
  await delay(BEHIND_MS);
  return isAhead(manager, line);
}

/**
 * Whether a consumer has taken messages that its stream never had: a server that was killed while its disk was full, or an older copy of the
 * stream, begins with smaller numbers again, and none of its messages would be delivered before it reaches that of the consumer.
 */
export async function isAhead(manager: JetStreamManager, { stream, durable }: Pick<AnyLine, 'stream' | 'durable'>): Promise<boolean> {
  const { delivered } = await manager.consumers.info(stream, durable);
  // Afterwards: it only grows.
  const { state } = await manager.streams.info(stream);
  return delivered.stream_seq > state.last_seq;
}
