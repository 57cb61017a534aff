import type { BusMessage, ConsumeOptions } from '@stechuhr/bus';
import { handedOver, handOverSubject, streams } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { ingestObject, type Ingest } from './ingest-object.js';
import type { Content } from './kinds/kind.js';

/** What of a consumer every service decides for itself. */
export interface LiveOptions {
  /** Name of the consumer on the server; it must never change. */
  readonly durable: string;
  /** Objects handled at the same time; 1 keeps the order within one replica as long as nothing is retried. */
  readonly concurrency: number;
  /** Pauses before an object is tried again. */
  readonly backoffMs?: readonly number[] | undefined;
}

/**
 * Objects that wait in this process until they are handled, so that those of one institution do not wait behind thousands of another: they
 * are taken in turns by institution.
 */
const READ_AHEAD = 12_000;

/** A reference may come a little later than what names it (docs/rules/events.md#live-objects). */
const DELIVERIES = 4;

type Terms = Pick<ConsumeOptions, 'stream' | 'filterSubject' | 'handler' | 'order'>;

/** The consumer of a stream of live objects: four deliveries, then a dead letter of the origin `ingest`. */
export function liveConsumer({ backoffMs, ...options }: LiveOptions, terms: Terms): ConsumeOptions {
  return {
    ...terms,
    ...options,
    readAhead: READ_AHEAD,
    // A quarter of the places is for others.
    perInstitution: Math.max(1, Math.floor((options.concurrency * 3) / 4)),
    deadLetter: 'ingest',
    maxAttempts: DELIVERIES,
    ...(backoffMs && { backoffMs }),
  };
}

/** Takes the live objects of a kind that the records service hands over (`handedOverKinds` of libs/contracts). */
export function handedOverConsumer<C extends Content, K extends string>(
  kind: K,
  ingest: Ingest<C, K>,
  options: LiveOptions,
): ConsumeOptions {
  const handler = async (message: BusMessage): Promise<void> => {
    const origin = handedOver(message.subject, (name) => message.header(name));
    if (origin === undefined) throw new AppError('invalid', 'The message was not handed over.');
    await ingestObject(ingest, { ...origin, json: message.text() });
  };
  return liveConsumer(options, { stream: streams.jobs.name, filterSubject: handOverSubject('*', kind), handler });
}
