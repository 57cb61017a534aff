import type { Bus, BusMessage, ConsumeOptions } from '@stechuhr/bus';
import { handedOverKinds, handOverHeaders, handOverSubject, parseIngestSubject, streams, wasHandedOver } from '@stechuhr/contracts';
import { ingestObjects, liveConsumer, type IngestObject } from '@stechuhr/ingest';
import { AppError } from '@stechuhr/kernel';
import { recordIngest } from '../operations/ingest.js';
import type { IngestClock, WriteContext } from '../operations/ports.js';

type IngestContext = WriteContext & { readonly bus: Pick<Bus, 'publish'>; readonly ingestClock: IngestClock };

/**
 * Consumes all live objects, including kinds without an owner, which would otherwise stay in the stream forever. Consumers of a work-queue
 * stream must not overlap, so kinds of other services are handed over to those services (ADR 17).
 */
export function ingestConsumer(context: IngestContext, backoffMs?: readonly number[]): ConsumeOptions {
  const ingest = ingestObjects(recordIngest(context));
  return liveConsumer(
    { durable: 'records', backoffMs },
    {
      stream: streams.ingest.name,
      filterSubject: 'stechuhr.ingest.>',
      order: context.ingestClock,
      handler: (message) => onIngest({ ...context, ingest }, message),
    },
  );
}

interface LiveContext extends Pick<IngestContext, 'bus' | 'ingestClock'> {
  readonly ingest: IngestObject;
}

async function onIngest(context: LiveContext, message: BusMessage): Promise<void> {
  // Must come first: a message that leaves the stream before its position is stored counts as lost.
  const position = await context.ingestClock.positionOf(message);
  if (wasHandedOver((name) => message.header(name))) throw new AppError('invalid', 'The object was on its way to another service.');
  const subject = parseIngestSubject(message.subject);
  if (subject === undefined) throw new AppError('invalid', 'The subject is not stechuhr.ingest.<institution_id>.<kind>.');
  if (handedOverKinds.includes(subject.kind)) return handOver(context, message, { ...subject, position });
  await context.ingest({ ...subject, sequence: position, json: message.text() });
}

/** Publishes the object for the service that owns its kind. An object that is handed over twice keeps its position. */
function handOver({ bus }: LiveContext, message: BusMessage, { institutionId, kind, position }: HandedOver): Promise<void> {
  const headers = handOverHeaders(message.subject, position);
  // Two streams may assign the same position to objects of different institutions.
  const msgId = `ingest:${institutionId}:${String(position)}`;
  return bus.publish(handOverSubject(institutionId, kind), message.payload, { msgId, headers });
}

interface HandedOver {
  readonly institutionId: string;
  readonly kind: string;
  readonly position: number;
}
