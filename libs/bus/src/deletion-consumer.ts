import { streams, type CloudEvent, type ingestKinds } from '@stechuhr/contracts';
import type { ConsumeOptions } from './consume.js';
import { readEvent } from './read-event.js';

/** A record of the records service that is gone. */
export interface Deletion {
  readonly institutionId: string;
  readonly id: string;
  /** It may have been created again under the same id: what was written later belongs to the new record. */
  readonly deletedAt: Date;
}

interface DeletionConsumerOptions {
  /** Who listens; names the consumer and the dead letters. */
  readonly service: string;
  readonly kind: (typeof ingestKinds)[number];
  /** May be called twice with the same deletion. */
  readonly handler: (deletion: Deletion) => Promise<void>;
}

const CONCURRENCY = 8;
const DELIVERIES = 20;

/** Consumes deletions of records, so that another service can delete what belongs to them (docs/rules/records.md#deletions). */
export function deletionConsumer({ service, kind, handler }: DeletionConsumerOptions): ConsumeOptions {
  return {
    stream: streams.events.name,
    durable: `${service}-${kind}-deleted`,
    filterSubject: `stechuhr.events.*.records.${kind}.deleted`,
    concurrency: CONCURRENCY,
    deadLetter: service,
    maxAttempts: DELIVERIES,
    handler: (message) => handler(deletionOf(readEvent(message))),
  };
}

function deletionOf({ institutionid: institutionId, data, time }: CloudEvent): Deletion {
  return { institutionId, id: data.id, deletedAt: new Date(time) };
}
