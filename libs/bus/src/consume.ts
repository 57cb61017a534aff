import { setTimeout as delay } from 'node:timers/promises';
import { JetStreamApiCodes, JetStreamApiError, type Consumer, type JsMsg } from '@nats-io/jetstream';
import { errors, millis } from '@nats-io/transport-node';
import { createFairLimiter, type FairLimiter } from '@stechuhr/kernel';
import type { ConsumeOptions, StreamRange } from './consume-options.js';
import type { CrashGuard } from './crash-guard.js';
import { Failures } from './failures.js';
import { handleMessage, largestMessage, type HandlingParts } from './handle-message.js';
import { HeldMessages } from './held-messages.js';
import type { Link } from './link.js';
import { toBusMessage } from './message.js';
import { deadLetters } from './metrics.js';
import { observeConsumption, type ObservedConsumption } from './observe-interruptions.js';
import { observeLag } from './observe-lag.js';
import type { Provisioning } from './provisioning.js';
import { SharedRoom } from './shared-room.js';

/** A running consumer. */
export interface Consumption {
  /** Fetches no further messages and waits for the running handlers. */
  stop(): Promise<void>;
}

/** What a process allots to one consumer, whose messages may come from several streams. */
interface ConsumerPlaces {
  readonly limited: FairLimiter;
  readonly room: SharedRoom;
}

export interface ConsumptionOptions extends ConsumeOptions, Pick<HandlingParts, 'publish' | 'logger'> {
  /** Resolves with the first connection. */
  readonly established: Promise<Link>;
  readonly provisioner: Pick<Provisioning, 'missed' | 'ensureConsumer'>;
  readonly guardFor: (durable: string) => CrashGuard;
}

interface ConsumptionParts extends ConsumptionOptions {
  readonly link: Link;
  readonly places: ConsumerPlaces;
  readonly observed: ObservedConsumption;
  readonly failures: Failures;
  readonly guard: CrashGuard;
}

const PAUSE_AFTER_FAILURE_MS = 1_000;
const HEARTBEATS_PER_ACK_WAIT = 3;
const SAY_AGAIN_MS = 60_000;
/** Limit for the payloads that a consumer holds in this process. */
const MAX_HELD_BYTES = 64 * 1_048_576;
const MESSAGES_AT_A_TIME = 64;

/** Creates the handler slots of one consumer, and its room for messages that wait for one. */
export function placesFor({ concurrency, perInstitution = concurrency, readAhead = 0 }: ConsumeOptions): ConsumerPlaces {
  return {
    limited: createFairLimiter({ concurrency, perKey: perInstitution }),
    room: new SharedRoom({ size: concurrency + readAhead, bytes: MAX_HELD_BYTES }),
  };
}

/** Starts handling the messages of a durable consumer of one stream, as soon as there is one. */
export function startConsumption(options: ConsumptionOptions, places: ConsumerPlaces = placesFor(options)): Consumption {
  // Initialized with 0, since the first increase of a counter that begins at one would be missed.
  deadLetters.add(0, { origin: options.deadLetter });
  const stopping = new AbortController();
  const held = new HeldMessages(places.limited);
  const leave = places.room.add(held);
  const observed = observeConsumption(options.durable);
  const guard = options.guardFor(options.durable);
  const finished = consumeUntilStopped({ ...options, places, observed, failures: new Failures(), guard }, held, stopping.signal).finally(
    observed.end,
  );
  return {
    async stop() {
      stopping.abort();
      await guard.stop();
      await finished;
      await held.close();
      leave();
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
      // The client reconnects by itself, but the server may have lost the consumer meanwhile.
      if (caught instanceof JetStreamApiError && caught.code === JetStreamApiCodes.StreamNotFound) parts.provisioner.missed();
      interruptions.add(caught);
      parts.observed.isInterrupted();
      await delay(PAUSE_AFTER_FAILURE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Logs a problem at once, and then every minute as long as it persists: a missing consumer is queried every second. */
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

/** Read through a function, since the compiler would assume the value from before the wait. */
function hasStopped(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** Fetches as many messages as can be handled: messages that wait in the client's buffer would be redelivered to another process. */
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
  /** Aborts when the process stops. */
  readonly stopping: AbortSignal;
  /** Aborts when the connection was lost, and with it pending requests. */
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
  const readRange = async (): Promise<StreamRange> => {
    const { config, state, created } = await link.manager.streams.info(stream);
    const { first_seq: first, last_seq: last, last_ts: lastTime } = state;
    return {
      firstSequence: first === 0 ? last + 1 : first,
      lastSequence: last,
      lastStoredAt: new Date(lastTime),
      // 0 stands for 1.
      initialSequence: Math.max(1, config.first_seq),
      createdAt: new Date(created),
    };
  };
  try {
    await order.begin(stream, readRange);
  } catch (caught) {
    const cause = caught instanceof errors.RequestError ? caught.cause : caught;
    if (!(cause instanceof errors.PermissionViolationError)) throw caught;
    logger.error({ err: caught, durable }, 'this user may not ask for the state of the stream: an older copy of it would not be noticed');
  }
}

async function fetchFrom(consumer: Consumer, parts: ConsumptionParts, held: HeldMessages, { stopping, ended }: Ends): Promise<void> {
  const largest = largestMessage(parts);
  const handleUnlessStopped = async (message: JsMsg) => (hasStopped(stopping) ? giveBack(parts, message) : handleMessage(parts, message));
  const signal = AbortSignal.any([stopping, ended]);
  while (!signal.aborted) {
    const wanted = await whatFits(parts, held, largest);
    if (hasStopped(signal)) return;
    const messages = await consumer.fetch({ max_messages: wanted, expires: 30_000 });
    const stop = () => messages.stop();
    signal.addEventListener('abort', stop, { once: true });
    // An abort during the request has been before there was a listener.
    if (hasStopped(signal)) stop();
    try {
      for await (const message of messages) {
        if (hasStopped(ended)) giveBack(parts, message);
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

/** Waits until there is room for some messages. @returns how many fit, however large they are */
async function whatFits({ places }: ConsumptionParts, held: HeldMessages, largest: number): Promise<number> {
  for (;;) {
    const { size, bytes } = places.room.of(held);
    const most = { size: Math.max(1, size), bytes: Math.max(largest, bytes) };
    const next = { size: Math.max(most.size / 2, most.size - MESSAGES_AT_A_TIME), bytes: most.bytes - largest };
    if (held.size <= next.size && held.bytes <= next.bytes)
      return Math.min(most.size - held.size, MESSAGES_AT_A_TIME, Math.floor((most.bytes - held.bytes) / largest));
    await held.atMost(next.size, next.bytes);
  }
}

function giveBack({ failures }: Pick<ConsumptionParts, 'failures'>, message: JsMsg): false {
  failures.addReturned(message);
  message.nak();
  return false;
}
