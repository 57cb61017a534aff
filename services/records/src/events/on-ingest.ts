import type { Bus, BusMessage, ConsumeOptions } from '@stechuhr/bus';
import { handedOverKinds, handOverHeaders, handOverSubject, parseIngestSubject, streams } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { ingestObject } from '../operations/ingest-object.js';
import type { WriteContext } from '../operations/ports.js';

const CONCURRENCY = 16;
/** A reference may come a little later than what names it (decisions: Events and live subjects). */
const DELIVERIES = 4;

type IngestContext = WriteContext & { readonly bus: Pick<Bus, 'publish'> };

/**
 * Takes all live objects, also of kinds that nobody owns: those would lie in the stream for ever. Consumers of a work queue may not
 * overlap, so kinds of other services are handed over to them.
 */
export function ingestConsumer(context: IngestContext, backoffMs?: readonly number[]): ConsumeOptions {
  return {
    stream: streams.ingest.name,
    durable: 'records',
    filterSubject: 'stechuhr.ingest.>',
    concurrency: CONCURRENCY,
    deadLetter: 'ingest',
    maxAttempts: DELIVERIES,
    ...(backoffMs && { backoffMs }),
    handler: (message) => onIngest(context, message),
  };
}

async function onIngest(context: IngestContext, message: BusMessage): Promise<void> {
  const subject = parseIngestSubject(message.subject);
  if (subject === undefined) throw new AppError('invalid', 'The subject is not stechuhr.ingest.<institution_id>.<kind>.');
  if (handedOverKinds.includes(subject.kind)) return handOver(context, message, handOverSubject(subject.institutionId, subject.kind));
  await ingestObject(context, { ...subject, sequence: message.streamSequence, json: message.text() });
}

/** Once it lies in the stream of jobs, it is its owner's; what was handed over twice has the same place in the order. */
function handOver({ bus }: IngestContext, message: BusMessage, to: string): Promise<void> {
  const headers = handOverHeaders(message.subject, message.streamSequence);
  return bus.publish(to, message.payload, { msgId: `ingest:${String(message.streamSequence)}`, headers });
}
