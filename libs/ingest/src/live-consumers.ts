import type { BusMessage, ConsumeOptions } from '@stechuhr/bus';
import { handedOver, handOverSubject, streams } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { ingestObjects, type Ingest } from './ingest-object.js';
import type { Content } from './kinds/kind.js';

/** What of a consumer every service decides for itself. */
export interface LiveOptions {
  /** Name of the consumer on the server; it must never change. */
  readonly durable: string;
  /** Pauses before an object is tried again. */
  readonly backoffMs?: readonly number[] | undefined;
}

/**
 * Objects that wait in this process until they are handled, so that those of one institution do not wait behind thousands of another: they
 * are taken in turns by institution.
 */
const READ_AHEAD = 12_000;

/** Some groups that are being written, and the next ones. */
const PLACES = 512;
/** The others are for other institutions. */
const PLACES_OF_ONE = (PLACES * 3) / 4;

/** A reference may come a little later than what names it (docs/rules/events.md#live-objects). */
const DELIVERIES = 4;

type Terms = Pick<ConsumeOptions, 'stream' | 'filterSubject' | 'handler' | 'order'>;

/** The consumer of a stream of live objects: four deliveries, then a dead letter of the origin `ingest`. */
export function liveConsumer({ backoffMs, ...options }: LiveOptions, terms: Terms): ConsumeOptions {
  return {
    ...terms,
    ...options,
    concurrency: PLACES,
    perInstitution: PLACES_OF_ONE,
    readAhead: READ_AHEAD,
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
  const take = ingestObjects(ingest);
  const handler = async (message: BusMessage): Promise<void> => {
    const origin = handedOver(message.subject, (name) => message.header(name));
    if (origin === undefined) throw new AppError('invalid', 'The message was not handed over.');
    await take({ ...origin, json: message.text() });
  };
  return liveConsumer(options, { stream: streams.jobs.name, filterSubject: handOverSubject('*', kind), handler });
}
