import { DeliverPolicy, type Consumer, type ConsumerMessages, type JsMsg, type OrderedConsumerOptions } from '@nats-io/jetstream';
import { AppError } from '@stechuhr/kernel';
import type { Link } from './link.js';

/** A stored message of a stream. */
export interface StoredMessage {
  readonly sequence: number;
  readonly subject: string;
  readonly storedAt: Date;
  readonly payload: Uint8Array;
}

/** Selects messages of a stream. */
export interface StreamQuery {
  readonly stream: string;
  /** All subjects if omitted. */
  readonly filterSubjects?: readonly string[];
  /** From the first message stored at that time or later. Without it, from the beginning, or from now on when following. */
  readonly since?: Date;
  /** Whether to wait for new messages; otherwise reading ends with the last stored message. */
  readonly follow?: boolean;
  /** Ends the reading. */
  readonly signal?: AbortSignal;
}

/** At most 32 MiB: the server disconnects a client to which more than 64 MiB wait to be sent, and what was on its way is then missing. */
const MESSAGES_AT_A_TIME = 32;
/** Stored messages arrive at once; none within this time means that there are none left. */
const NOTHING_LEFT_MS = 1_500;
/** How often in a row nothing may arrive although there are messages. */
const MAX_FAILURES = 5;

/**
 * Reads messages in order without consuming them: only a temporary consumer is created on the server.
 *
 * @throws AppError `unavailable` if not all stored messages can be read
 */
export async function* browseStream({ client }: Link, query: StreamQuery): AsyncGenerator<StoredMessage, void, undefined> {
  if (query.follow === true) {
    const consumer = await client.consumers.get(query.stream, optionsOf(query));
    yield* readUntil(await consumer.consume({ max_messages: MESSAGES_AT_A_TIME }), query.signal);
    return;
  }
  let last: number | undefined;
  let failures = 0;
  while (query.signal?.aborted !== true) {
    // A connection that is interrupted looks like a stream without further messages, so a new consumer says whether there are any.
    const consumer = await client.consumers.get(query.stream, optionsOf(query, last));
    if ((await consumer.info(true)).num_pending === 0) return;
    failures += 1;
    for await (const message of storedIn(consumer, query.signal)) {
      failures = 0;
      last = message.seq;
      yield toStored(message);
      if (message.info.pending === 0) return;
    }
    if (failures > MAX_FAILURES) throw new AppError('unavailable', `The stream ${query.stream} could not be read to its end.`);
  }
}

/** Reads until nothing comes. */
async function* storedIn(consumer: Consumer, signal: AbortSignal | undefined): AsyncGenerator<JsMsg, void, undefined> {
  let left = true;
  while (left && signal?.aborted !== true) {
    left = false;
    for await (const message of await consumer.fetch({ max_messages: MESSAGES_AT_A_TIME, expires: NOTHING_LEFT_MS })) {
      left = true;
      yield message;
    }
  }
}

function optionsOf({ filterSubjects, since, follow = false }: StreamQuery, after?: number): Partial<OrderedConsumerOptions> {
  const filter = filterSubjects === undefined ? {} : { filter_subjects: [...filterSubjects] };
  if (after !== undefined) return { ...filter, deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: after + 1 };
  if (since !== undefined) return { ...filter, deliver_policy: DeliverPolicy.StartTime, opt_start_time: since.toISOString() };
  return { ...filter, deliver_policy: follow ? DeliverPolicy.New : DeliverPolicy.All };
}

async function* readUntil(messages: ConsumerMessages, signal: AbortSignal | undefined): AsyncGenerator<StoredMessage, void, undefined> {
  const stop = () => messages.stop();
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  try {
    for await (const message of messages) yield toStored(message);
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
}

function toStored(message: JsMsg): StoredMessage {
  return { sequence: message.seq, subject: message.subject, storedAt: message.time, payload: message.data };
}
