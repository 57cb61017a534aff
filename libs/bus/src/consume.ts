import { setTimeout as delay } from 'node:timers/promises';
import { JetStreamApiCodes, JetStreamApiError, type Consumer, type JsMsg } from '@nats-io/jetstream';
import { errors, millis } from '@nats-io/transport-node';
import { createFairLimiter, type FairLimiter } from '@stechuhr/kernel';
import type { ConsumeOptions, StreamRange } from './consume-options.js';
import { Failures } from './failures.js';
import { handleMessage, largestMessage, type HandlingParts } from './handle-message.js';
import { HeldMessages } from './held-messages.js';
import type { Link } from './link.js';
import { toBusMessage } from './message.js';
import { deadLetters } from './metrics.js';
import { observeConsumption, type ObservedConsumption } from './observe-interruptions.js';
import { observeLag } from './observe-lag.js';
import type { Provisioning } from './provisioning.js';

/** A running consumer. */
export interface Consumption {
  /** Takes no further message and waits for the handlers that run. */
  stop(): Promise<void>;
}

/** What a process has for one consumer, whose messages may come from several streams. */
interface ConsumerPlaces {
  readonly limited: FairLimiter;
  /** Streams that share what may wait. */
  streams(): number;
}

export interface ConsumptionOptions extends ConsumeOptions, Pick<HandlingParts, 'publish' | 'logger'> {
  /** Resolves with the first connection. */
  readonly established: Promise<Link>;
  readonly provisioner: Pick<Provisioning, 'missed' | 'ensureConsumer'>;
}

interface ConsumptionParts extends ConsumptionOptions {
  readonly link: Link;
  readonly places: ConsumerPlaces;
  readonly observed: ObservedConsumption;
  readonly failures: Failures;
}

const PAUSE_AFTER_FAILURE_MS = 1_000;
const HEARTBEATS_PER_ACK_WAIT = 3;
const SAY_AGAIN_MS = 60_000;
/** Payloads that a consumer holds in this process. */
const MAX_HELD_BYTES = 64 * 1_048_576;
const MESSAGES_AT_A_TIME = 64;

/** The places of one consumer. */
export function placesFor({ concurrency, perInstitution = concurrency }: ConsumeOptions): FairLimiter {
  return createFairLimiter({ atATime: concurrency, perKey: perInstitution });
}

/** Starts to handle the messages of a durable consumer of one stream, as soon as there is one. */
export function startConsumption(
  options: ConsumptionOptions,
  places: ConsumerPlaces = { limited: placesFor(options), streams: () => 1 },
): Consumption {
  // The first one is only seen of a counter that began at nothing.
  deadLetters.add(0, { origin: options.deadLetter });
  const stopping = new AbortController();
  const held = new HeldMessages(places.limited);
  const observed = observeConsumption(options.durable);
  const finished = consumeUntilStopped({ ...options, places, observed, failures: new Failures() }, held, stopping.signal).finally(
    observed.end,
  );
  return {
    async stop() {
      stopping.abort();
      await finished;
      await held.close();
    },
  };
}

async function consumeUntilStopped(options: Omit<ConsumptionParts, 'link'>, held: HeldMessages, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));
  const link = await Promise.race([options.established, stopped]);
  if (link !== undefined) await fetchUntilStopped({ ...options, link }, held, signal);
}

async function fetchUntilStopped(parts: ConsumptionParts, held: HeldMessages, signal: AbortSignal): Promise<void> {
  const interruptions = interruptionLog(parts);
  while (!signal.aborted) {
    try {
      await parts.provisioner.ensureConsumer(parts);
      await fetchLoop(parts, held, signal);
    } catch (caught) {
      if (hasStopped(signal) || parts.link.connection.isClosed()) return;
      // The client reconnects by itself; the consumer may have gone with its server meanwhile.
      if (caught instanceof JetStreamApiError && caught.code === JetStreamApiCodes.StreamNotFound) parts.provisioner.missed();
      interruptions.add(caught);
      parts.observed.isInterrupted();
      await delay(PAUSE_AFTER_FAILURE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Says at once that something is wrong, and then each minute that it still is: a consumer that is missing is asked for every second. */
function interruptionLog({ logger, stream, durable }: ConsumptionParts): { add(caught: unknown): void } {
  let saidAt = -Infinity;
  let unsaid = 0;
  return {
    add(caught) {
      unsaid += 1;
      if (performance.now() - saidAt < SAY_AGAIN_MS) return;
      logger.warn({ err: caught, stream, durable, interruptions: unsaid }, 'consuming was interrupted');
      saidAt = performance.now();
      unsaid = 0;
    },
  };
}

/** Evaluated again after each wait; the compiler would assume the previous value. */
function hasStopped(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** Asks for as many messages as there is room for: what waits in the buffer of the client would be delivered again elsewhere. */
async function fetchLoop(parts: ConsumptionParts, held: HeldMessages, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const unlisten = parts.link.onReturn(() => ended.abort());
  try {
    await beginOrder(parts);
    await fetchWhile(parts, held, { stopping: signal, ended: ended.signal });
  } finally {
    unlisten();
  }
}

interface Ends {
  /** The process stops. */
  readonly stopping: AbortSignal;
  /** The connection was lost since, and with it what the server was asked for. */
  readonly ended: AbortSignal;
}

async function fetchWhile(parts: ConsumptionParts, held: HeldMessages, ends: Ends): Promise<void> {
  const consumer = await parts.link.client.consumers.get(parts.stream, parts.durable);
  const { config } = await consumer.info(true);
  parts.observed.goesOn();
  held.informEvery(millis(config.ack_wait ?? 0) / HEARTBEATS_PER_ACK_WAIT);
  const unobserve = observeLag(parts.durable, parts.stream, consumer);
  try {
    await fetchFrom(consumer, parts, held, ends);
  } finally {
    unobserve();
  }
}

async function beginOrder({ order, link, stream, durable, logger }: ConsumptionParts): Promise<void> {
  if (order === undefined) return;
  const look = async (): Promise<StreamRange> => {
    const { state } = await link.manager.streams.info(stream);
    const { first_seq: first, last_seq: last, last_ts: lastTime } = state;
    return { firstSequence: first === 0 ? last + 1 : first, lastSequence: last, lastStoredAt: new Date(lastTime) };
  };
  try {
    await order.begin(look);
  } catch (caught) {
    const cause = caught instanceof errors.RequestError ? caught.cause : caught;
    if (!(cause instanceof errors.PermissionViolationError)) throw caught;
    logger.error({ err: caught, durable }, 'this user may not ask for the state of the stream: an older copy of it would not be noticed');
  }
}

async function fetchFrom(consumer: Consumer, parts: ConsumptionParts, held: HeldMessages, { stopping, ended }: Ends): Promise<void> {
  const largest = largestMessage(parts);
  const handleUnlessStopped = async (message: JsMsg) => (hasStopped(stopping) ? giveBack(message) : handleMessage(parts, message));
  const signal = AbortSignal.any([stopping, ended]);
  while (!signal.aborted) {
    const room = Math.max(1, Math.floor((parts.concurrency + (parts.readAhead ?? 0)) / parts.places.streams()));
    const maxBytes = Math.max(largest, MAX_HELD_BYTES / parts.places.streams());
    await held.atMost(Math.max(room / 2, room - MESSAGES_AT_A_TIME), maxBytes - largest);
    if (hasStopped(signal)) return;
    const fitting = Math.floor((maxBytes - held.bytes) / largest);
    const messages = await consumer.fetch({ max_messages: Math.min(room - held.size, MESSAGES_AT_A_TIME, fitting), expires: 30_000 });
    const stop = () => messages.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      for await (const message of messages) {
        if (hasStopped(ended)) giveBack(message);
        else {
          parts.order?.arrived(toBusMessage(message));
          held.take(message, handleUnlessStopped);
        }
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

function giveBack(message: JsMsg): false {
  message.nak();
  return false;
}
