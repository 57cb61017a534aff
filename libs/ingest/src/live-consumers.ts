import type { BusMessage, ConsumeOptions } from '@stechuhr/bus';
import { handedOver, handOverSubject, handOverSubjectAmongJobs, streams } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { ingestObjects, type Ingest } from './ingest-object.js';
import type { Content } from './kinds/kind.js';

/** The settings of a consumer that each service chooses itself. */
export interface LiveOptions {
  /** Name of the durable consumer; it must never change. */
  readonly durable: string;
  /** Pauses before redeliveries, in milliseconds. */
  readonly backoffMs?: readonly number[] | undefined;
}

/**
 * Objects that wait in this process. They are handled in turns by institution, so that the objects of one institution do not wait behind
 * thousands of another. Each takes 1.3 KiB beside its payload, half of it in the heap. With two replicas they are less than NATS delivers
 * before some are acknowledged (`MAX_ACK_PENDING` of libs/bus).
 */
const READ_AHEAD = 48_000;

/** Enough for several groups that are being written, and for the next ones. */
const CONCURRENCY = 512;
/** The rest is reserved for other institutions. */
const CONCURRENCY_PER_INSTITUTION = (CONCURRENCY * 3) / 4;

/** A referenced record may arrive shortly after the object that references it (docs/rules/events.md#live-objects). */
const MAX_DELIVERIES = 4;

type Terms = Pick<ConsumeOptions, 'stream' | 'filterSubject' | 'handler' | 'order'>;

/**
 * Returns the consumer of a stream of live objects. After four failed deliveries, an object becomes a dead letter of the origin `ingest`.
 */
export function liveConsumer({ backoffMs, ...options }: LiveOptions, terms: Terms): ConsumeOptions {
  return {
    ...terms,
    ...options,
    concurrency: CONCURRENCY,
    perInstitution: CONCURRENCY_PER_INSTITUTION,
    readAhead: READ_AHEAD,
    deadLetter: 'ingest',
    maxAttempts: MAX_DELIVERIES,
    ...(backoffMs && { backoffMs }),
  };
}

/**
 * Returns the consumers of live objects of a kind that the records service hands over (`handedOverKinds` of libs/contracts): in their own
 * stream, and among the jobs, where version 0.2 hands them over (docs/upgrade.md#handed-over-objects-in-a-stream-of-their-own).
 */
export function handedOverConsumers<C extends Content, K extends string>(
  kind: K,
  ingest: Ingest<C, K>,
  options: LiveOptions,
): readonly ConsumeOptions[] {
  const take = ingestObjects(ingest);
  const handler = async (message: BusMessage): Promise<void> => {
    const origin = handedOver(message.subject, (name) => message.header(name));
    if (origin === undefined) throw new AppError('invalid', 'The message was not handed over.');
    await take({ ...origin, json: message.text() });
  };
  return [
    liveConsumer(options, { stream: streams.handovers.name, filterSubject: handOverSubject('*', kind), handler }),
    liveConsumer(options, { stream: streams.jobs.name, filterSubject: handOverSubjectAmongJobs('*', kind), handler }),
  ];
}
