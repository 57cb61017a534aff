import { setTimeout as delay } from 'node:timers/promises';
import { PubHeaders } from '@nats-io/jetstream';
import { errors, headers as natsHeaders } from '@nats-io/transport-node';
import type { Context } from '@opentelemetry/api';
import { AppError, createLimiter, sharedTick } from '@stechuhr/kernel';
import { ACK_TIMEOUT_MS, NoStreamError } from './acknowledged-publisher.js';
import type { Link } from './link.js';
import { countPublished } from './metrics.js';
import { injectTrace, withProducerSpan } from './tracing.js';

/** How a message is published. */
export interface PublishOptions {
  /** `Nats-Msg-Id`: a duplicate within the stream's window is acknowledged and dropped. */
  readonly msgId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** W3C Trace Context of the cause, if that is not the active span. */
  readonly traceparent?: string;
}

/** Publishes one message; see {@link Bus.publish}. */
export type Publish = (subject: string, payload: Uint8Array | string, options?: PublishOptions) => Promise<void>;

// Enough to hide the round trip, and few enough to notice a slow server (docs/rules/services.md#publishing).
const IN_FLIGHT = 128;
/** First and longest pause before a message is sent again that currently no stream accepts. */
const UNTAKEN_PAUSE_MS = [10, 200] as const;

interface PublisherOptions {
  /** `undefined` until the first connection. */
  readonly link: () => Pick<Link, 'publish'> | undefined;
  /** The subject that a message with this subject is sent to; the same by default. */
  readonly route?: (subject: string) => Promise<string>;
  /** Called if no stream accepts a subject. */
  readonly onMissingStream?: () => void;
}

/** The publishing side of a connection. */
export function createPublisher({ link, route = async (subject) => subject, onMissingStream }: PublisherOptions): Publish {
  const limited = createLimiter(IN_FLIGHT);
  // A slot that moves to another partition belongs to none for a moment. Nothing was stored, so the message can be sent again.
  const untilTaken = async (message: Message): Promise<void> => {
    const deadline = performance.now() + ACK_TIMEOUT_MS;
    for (let pauseMs: number = UNTAKEN_PAUSE_MS[0]; ; pauseMs = Math.min(pauseMs * 2, UNTAKEN_PAUSE_MS[1])) {
      const sentTo = await route(message.subject);
      try {
        return await publishOnce(link(), sentTo, message);
      } catch (caught) {
        if (!(caught instanceof AppError) || !(caught.cause instanceof NoStreamError)) throw caught;
        onMissingStream?.();
        if (sentTo === message.subject || performance.now() + pauseMs > deadline) throw caught;
      }
      await delay(pauseMs);
    }
  };
  const endOfTick = sharedTick();
  return (subject, payload, options = {}) =>
    limited(async () => {
      // Acknowledgements arrive in bulk, and each allows another message to be sent. Without this, the client would write to its socket for each.
      await endOfTick();
      return withProducerSpan(subject, options.traceparent, (traced) => untilTaken({ subject, payload, traced, ...options }));
    });
}

interface Message extends PublishOptions {
  readonly subject: string;
  readonly payload: Uint8Array | string;
  readonly traced: Context;
}

async function publishOnce(
  link: Pick<Link, 'publish'> | undefined,
  sentTo: string,
  { subject, payload, traced, msgId, headers = {} }: Message,
): Promise<void> {
  const carried = natsHeaders();
  for (const [key, value] of Object.entries(headers)) carried.set(key, value);
  if (msgId !== undefined) carried.set(PubHeaders.MsgIdHdr, msgId);
  injectTrace(traced, carried);
  try {
    if (link === undefined) throw new Error('There has been no connection to NATS.');
    await link.publish(sentTo, payload, carried);
    countPublished(subject, 'ok');
  } catch (caught) {
    countPublished(subject, 'failed');
    // Thrown by the client. It would be refused each time, for as long as an outage may last.
    if (caught instanceof errors.InvalidArgumentError)
      throw new AppError('invalid', 'The message and its headers are larger than NATS accepts.', { cause: caught });
    throw new AppError('unavailable', 'The message bus is not available.', { cause: caught });
  }
}
