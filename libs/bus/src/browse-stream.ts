import { DeliverPolicy, type ConsumerMessages, type JsMsg, type OrderedConsumerOptions } from '@nats-io/jetstream';
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

const MESSAGES_AT_A_TIME = 500;
/** Stored messages arrive at once; none within this time means that there are none left. */
const NOTHING_LEFT_MS = 1_500;

/** Reads messages in order without consuming them: no consumer is created on the server. */
export async function* browseStream({ client }: Link, query: StreamQuery): AsyncGenerator<StoredMessage, void, undefined> {
  const consumer = await client.consumers.get(query.stream, optionsOf(query));
  if (query.follow === true) {
    yield* readUntil(await consumer.consume({ max_messages: MESSAGES_AT_A_TIME }), query.signal);
    return;
  }
  let left = true;
  while (left && query.signal?.aborted !== true) {
    left = false;
    const messages = await consumer.fetch({ max_messages: MESSAGES_AT_A_TIME, expires: NOTHING_LEFT_MS });
    for await (const message of messages) {
      left = message.info.pending > 0;
      yield toStored(message);
      if (!left) break;
    }
  }
}

function optionsOf({ filterSubjects, since, follow = false }: StreamQuery): Partial<OrderedConsumerOptions> {
  const filter = filterSubjects === undefined ? {} : { filter_subjects: [...filterSubjects] };
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
