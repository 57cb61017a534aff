import { setTimeout as delay } from 'node:timers/promises';
import { AckPolicy, DeliverPolicy, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { allStreams, subscriptionsOf, type Subscription } from '@stechuhr/contracts';
import { ackWaitFromEnvironment, type StreamSettings } from './config.js';
import { haveTheirSlots } from './ensure-partitions.js';
import { ensureStreams, type EnsuredStreams, type ProvisioningLink } from './ensure-streams.js';
import type { When } from './ensure-stream.js';
import { isMissingStream, readLayouts } from './layout.js';
import { serverCodes } from './server-codes.js';

/** Held by all replicas, or waiting for the next attempt; more than several replicas read ahead. */
const MAX_ACK_PENDING = 100_000;

/** A durable consumer of the platform. */
export type ConsumerLine = Pick<Subscription, 'stream' | 'durable' | 'filterSubject'>;
/** The consumer of a subscriber, which may receive several kinds of events. */
export type SubscriberLine = Pick<Subscription, 'stream' | 'durable'> & { readonly filterSubjects: readonly string[] };
type AnyLine = ConsumerLine | SubscriberLine;

/** What had to be corrected. */
export interface Provisioned extends EnsuredStreams {
  /** Consumers that were ahead of their stream and were recreated. */
  readonly recreated: readonly ConsumerLine[];
}

/**
 * Creates or updates the streams and durable consumers of the catalogue; several processes may do this concurrently. If the server refuses a stream,
 * the consumers of the others are created all the same.
 * @param when an upgrade also applies the settings to existing streams
 */
export async function provision(link: ProvisioningLink, settings: StreamSettings, when: When): Promise<Provisioned> {
  const { manager } = link;
  const { created, refusal } = await ensureStreams(link, settings, when);
  const subscriptions = subscriptionsOf(await readLayouts(manager, { mayLack: refusal !== undefined }));
  const ensure = (line: ConsumerLine): Promise<boolean> =>
    ensureConsumer(manager, line).catch((caught: unknown) => {
      if (refusal === undefined || !isMissingStream(caught)) throw caught;
      return false;
    });
  const wereAhead = await Promise.all(subscriptions.map(ensure));
  return { created, refusal, recreated: subscriptions.filter((_, at) => wereAhead[at]) };
}

/**
 * Creates or updates a durable consumer; its ack wait is `NATS_ACK_WAIT_SECONDS`. A consumer that is ahead of its stream is recreated.
 * @returns whether it was ahead
 */
export async function ensureConsumer(manager: JetStreamManager, line: AnyLine): Promise<boolean> {
  await addConsumer(manager, line);
  if (!(await isAheadForGood(manager, line))) return false;
  await recreateConsumer(manager, line);
  return true;
}

/** Recreates a durable consumer, which then gets everything in its stream. */
export async function recreateConsumer(manager: JetStreamManager, line: AnyLine): Promise<void> {
  await manager.consumers.delete(line.stream, line.durable);
  await addConsumer(manager, line);
}

/** The properties that are updated on existing consumers; their position is kept. */
function changeable(line: AnyLine) {
  return {
    ...('filterSubject' in line ? { filter_subject: line.filterSubject } : { filter_subjects: [...line.filterSubjects] }),
    ack_wait: nanos(ackWaitFromEnvironment()),
    // Attempts are counted by the handlers, so that no message is dropped without a dead letter.
    max_deliver: -1,
    // Includes messages that wait for their next attempt, which must not block the others.
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
 * Queries every stream and consumer of the catalogue.
 * @returns whether a consumer is ahead of its stream, or a partition lacks some of its slots
 * @throws JetStreamApiError for the first that is missing
 */
export async function isIncomplete(manager: JetStreamManager): Promise<boolean> {
  const layouts = await readLayouts(manager);
  await Promise.all(allStreams(layouts).map((name) => manager.streams.info(name)));
  const found = await Promise.all(subscriptionsOf(layouts).map((line) => isAhead(manager, line)));
  return found.includes(true) || !(await haveTheirSlots(manager, layouts));
}

/** For a moment, a server of a cluster may be behind the one that leads the consumer. */
const BEHIND_MS = 1_000;

async function isAheadForGood(manager: JetStreamManager, line: AnyLine): Promise<boolean> {
  if (!(await isAhead(manager, line))) return false;
  await delay(BEHIND_MS);
  return isAhead(manager, line);
}

/**
 * Whether a consumer has a position that its stream never reached. This happens if the server was killed while its disk was full, or if an older copy
 * of the stream was restored: the stream then reuses lower sequences, and the consumer would get no message before the stream reaches its position.
 */
export async function isAhead(manager: JetStreamManager, { stream, durable }: Pick<AnyLine, 'stream' | 'durable'>): Promise<boolean> {
  const { delivered } = await manager.consumers.info(stream, durable);
  // Read after the consumer, because the position of the stream only increases.
  const { state } = await manager.streams.info(stream);
  return delivered.stream_seq > state.last_seq;
}
