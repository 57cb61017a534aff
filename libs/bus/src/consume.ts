import { setTimeout as delay } from 'node:timers/promises';
import { JetStreamApiCodes, JetStreamApiError, type Consumer, type JsMsg } from '@nats-io/jetstream';
import { errors, millis } from '@nats-io/transport-node';
import { deadLetterSubject, institutionOfSubject, originOf } from '@stechuhr/contracts';
import { AppError, createFairLimiter, type FairLimiter, type Logger } from '@stechuhr/kernel';
import { describeDeadLetter } from './dead-letter.js';
import { HeldMessages } from './held-messages.js';
import type { Link } from './link.js';
import { toBusMessage, type BusMessage } from './message.js';
import { deadLetters, handled } from './metrics.js';
import { observeLag } from './observe-lag.js';
import type { Provisioning } from './provisioning.js';
import type { Publish } from './publish.js';
import { withConsumerSpan } from './tracing.js';
import { judge } from './verdict.js';

/** What is consumed, and how. */
export interface ConsumeOptions {
  /** Name of the stream, such as `streams.ingest.name`. */
  readonly stream: string;
  /** Of events: whether only those of the first partition are taken, which has all of a version that knows no partitions. */
  readonly firstPartitionOnly?: boolean;
  /** Name of the consumer on the server; replicas of a service share it and its messages. */
  readonly durable: string;
  readonly filterSubject: string;
  /** Messages handled at a time in this process; 1 keeps the order of one replica. */
  readonly concurrency: number;
  /**
   * Messages that may wait in this process for a place, 0 by default. Handlers of milliseconds need some, else asking for messages takes
   * longer than handling them; what takes long should rather wait where a replica can get it. Among those that wait, places are given in
   * turns by institution.
   */
  readonly readAhead?: number;
  /** Messages of one institution handled at a time; as many as `concurrency` by default. */
  readonly perInstitution?: number;
  /**
   * Handles one message; may be called twice with the same one. What it throws decides: `invalid`, `not_found`, `forbidden`, `conflict` go
   * to the dead letters at once; `precondition` ("not yet"), `internal` and anything unknown after `maxAttempts`; `unavailable` is tried
   * for the better part of an hour.
   */
  readonly handler: (message: BusMessage) => Promise<void>;
  /** Origin of the dead letters: `stechuhr.dead.<origin>.<institution_id>.<part>`. */
  readonly deadLetter: string;
  /** Deliveries until a message becomes a dead letter. */
  readonly maxAttempts: number;
  /** Pause after the first, second, … failure in milliseconds; the last one repeats. 1 s, 5 s, 15 s by default. */
  readonly backoffMs?: readonly number[];
  /** Where the place of a message in the stream decides which of two writes counts. */
  readonly order?: StreamOrder;
}

/** Follows the places of a stream. */
export interface StreamOrder {
  /**
   * Before messages are asked for, also after each loss of the connection: an older copy of the stream may have taken its place.
   *
   * @param look asks the server for the range of now, as often as it is called; other processes go on with the stream meanwhile
   */
  begin(look: () => Promise<StreamRange>): Promise<void>;
  /** A message has arrived; it is handled later. */
  arrived(message: Pick<BusMessage, 'streamSequence' | 'storedAt'>): void;
}

/** The first message that a stream holds, or the next one where it is empty, and the last one that it ever got. */
export interface StreamRange {
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** When the last one was stored. */
  readonly lastStoredAt: Date;
}

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

export interface ConsumptionOptions extends ConsumeOptions {
  /** Resolves with the first connection. */
  readonly established: Promise<Link>;
  readonly publish: Publish;
  readonly logger: Logger;
  readonly provisioner: Pick<Provisioning, 'missed' | 'ensureConsumer'>;
}

interface ConsumptionParts extends ConsumptionOptions {
  readonly link: Link;
  readonly places: ConsumerPlaces;
}

const DEFAULT_BACKOFF_MS = [1_000, 5_000, 15_000];
const PAUSE_AFTER_FAILURE_MS = 1_000;
const PAUSE_WITHOUT_DEAD_LETTER_MS = 30_000;
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
  const stopping = new AbortController();
  const held = new HeldMessages(places.limited);
  const finished = consumeUntilStopped({ ...options, places }, held, stopping.signal);
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
  const handleUnlessStopped = async (message: JsMsg) => (hasStopped(stopping) ? giveBack(message) : handle(parts, message));
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

/** What the server takes at most, in bytes. */
function largestMessage({ link }: Pick<ConsumptionParts, 'link'>): number {
  return link.connection.info?.max_payload ?? 1_048_576;
}

function giveBack(message: JsMsg): false {
  message.nak();
  return false;
}

/** Never rejects: a message without an outcome is delivered again after the ack wait. @returns whether to acknowledge the message */
async function handle(parts: ConsumptionParts, message: JsMsg): Promise<boolean> {
  const startedAt = performance.now();
  let outcome = 'ok';
  try {
    await withConsumerSpan(parts.durable, message, () => parts.handler(toBusMessage(message)));
    return true;
  } catch (caught) {
    outcome = await settleFailure(parts, message, AppError.from(caught)).catch((failure: unknown) => {
      parts.logger.error({ err: failure, subject: message.subject }, 'a dead letter could not be sent');
      message.nak(PAUSE_WITHOUT_DEAD_LETTER_MS);
      return 'retry';
    });
    return false;
  } finally {
    handled.record((performance.now() - startedAt) / 1000, { durable: parts.durable, outcome });
  }
}

async function settleFailure(parts: ConsumptionParts, message: JsMsg, error: AppError): Promise<string> {
  const { logger, durable, maxAttempts, backoffMs = DEFAULT_BACKOFF_MS } = parts;
  const deliveries = message.info.deliveryCount;
  const fields = { durable, subject: message.subject, sequence: message.seq, deliveries, code: error.code };
  const verdict = judge(error, deliveries, { maxAttempts, backoffMs });
  if (verdict.kind === 'retry') {
    if (error.code === 'internal') logger.error({ ...fields, err: error.cause ?? error }, 'a message failed');
    message.nak(verdict.delayMs);
    return 'retry';
  }
  logger.warn({ ...fields, err: error.cause ?? error }, 'a message became a dead letter');
  await sendDeadLetter(parts, message, error);
  message.term();
  return 'dead';
}

async function sendDeadLetter({ link, publish, deadLetter }: ConsumptionParts, message: JsMsg, error: AppError): Promise<void> {
  const given = {
    subject: originOf(message.subject),
    payload: message.data,
    reason: reasonOf(error),
    deliveries: message.info.deliveryCount,
    failedAt: Date.now(),
  };
  // Headers count to the limit of the server too.
  const maxBytes = largestMessage({ link }) - 4_096;
  const letter = JSON.stringify(describeDeadLetter(given, maxBytes));
  const institutionId = institutionOfSubject(message.subject);
  const subject = deadLetterSubject({ origin: deadLetter, institutionId, bytes: Buffer.byteLength(letter), number: message.seq });
  // An older copy of a stream gives places a second time.
  const msgId = `dead:${message.info.stream}:${message.seq}:${message.time.getTime()}`;
  await publish(subject, letter, { msgId });
  deadLetters.add(1, { origin: deadLetter });
}

/** Field errors are more specific than their message. */
function reasonOf({ message, details }: AppError): string {
  if (details === undefined) return message;
  return Object.entries(details)
    .map(
      ([field, problems]) =>
        `${field}: ${problems.every((problem) => typeof problem === 'string') ? problems.join(' ') : JSON.stringify(problems)}`,
    )
    .join('; ');
}
