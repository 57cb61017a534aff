import { deletionSubject, events, eventSubject, streams, type CloudEvent, type ingestKinds } from '@stechuhr/contracts';
import { inTurns, type ConsumeOptions } from './consume-options.js';
import { subjectOf } from './create-event.js';
import type { BusMessage } from './message.js';
import { readEvent } from './read-event.js';

type Kind = (typeof ingestKinds)[number];

/** The deletion of a record by the records service. */
export interface Deletion {
  readonly institutionId: string;
  readonly id: string;
  /** A record may be created again under the same id; what was written later belongs to the new record. */
  readonly deletedAt: Date;
}

interface DeletionConsumerOptions {
  /** The consuming service; part of the names of consumers and dead letters. */
  readonly service: string;
  readonly kind: Kind;
  /** May be called twice for the same deletion. */
  readonly handler: (deletion: Deletion) => Promise<void>;
}

/** Institutions are removed by handlers that may take minutes, which another replica should be able to take. */
const OF_INSTITUTIONS = { concurrency: 8 };
const DELIVERIES = 20;

const servicesByType: ReadonlyMap<string, readonly string[]> = new Map(
  events.map(({ type, consumers }) => [`stechuhr.${type}.v1`, consumers]),
);

/** The queues of a deletion, in addition to its event: one for each service with data about the record. Empty for other events. */
export function queuesOfDeletion(event: Pick<CloudEvent, 'type' | 'institutionid'>): { subject: string; service: string }[] {
  const services = servicesByType.get(event.type) ?? [];
  return services.map((service) => ({ service, subject: deletionSubject(event.institutionid, service, kindOf(event)) }));
}

/** `employee` for `stechuhr.records.employee.deleted.v1`; empty for other events. */
function kindOf({ type }: Pick<CloudEvent, 'type'>): string {
  return /^stechuhr\.records\.([^.]+)\.deleted\.v1$/.exec(type)?.[1] ?? '';
}

/**
 * Consumes deletions of records, so that another service can delete what belongs to them (docs/rules/records.md#deletions): those in its queue, and
 * those among the events, where version 0.2 publishes them (docs/upgrade.md#deletions-in-a-stream-of-their-own).
 */
export function deletionConsumers({ service, kind, handler }: DeletionConsumerOptions): readonly ConsumeOptions[] {
  const consumer = (name: string, filterSubject: string, subjectFor: (event: CloudEvent) => string) => ({
    filterSubject,
    durable: `${service}-${kind}-${name}`,
    ...(kind === 'institution' ? OF_INSTITUTIONS : inTurns),
    deadLetter: service,
    maxAttempts: DELIVERIES,
    handler: (message: BusMessage) => handler(deletionOf(readEvent(message, subjectFor))),
  });
  const queued = (event: CloudEvent): string => deletionSubject(event.institutionid, service, kindOf(event));
  return [
    { stream: streams.deletions.name, ...consumer('deletions', deletionSubject('*', service, kind), queued) },
    {
      stream: streams.events.name,
      firstPartitionOnly: true,
      ...consumer('deleted', eventSubject('*', `records.${kind}.deleted`), subjectOf),
    },
  ];
}

function deletionOf({ institutionid: institutionId, data, time }: CloudEvent): Deletion {
  return { institutionId, id: data.id, deletedAt: new Date(time) };
}
