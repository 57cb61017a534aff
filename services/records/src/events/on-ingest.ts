import type { BusMessage, ConsumeOptions } from '@stechuhr/bus';
import { parseIngestSubject, streams } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { ingestObject } from '../operations/ingest-object.js';
import type { WriteContext } from '../operations/ports.js';

const CONCURRENCY = 16;
/** A reference may come a little later than what names it (decisions: Events and live subjects). */
const DELIVERIES = 4;

/**
 * Takes all live objects, also of kinds that nobody owns: those would lie in the stream for ever. Consumers of a work queue may not
 * overlap, so a service that takes over a kind makes this filter a list.
 */
export function ingestConsumer(context: WriteContext, backoffMs?: readonly number[]): ConsumeOptions {
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

async function onIngest(context: WriteContext, message: BusMessage): Promise<void> {
  const subject = parseIngestSubject(message.subject);
  if (subject === undefined) throw new AppError('invalid', 'The subject is not stechuhr.ingest.<institution_id>.<kind>.');
  await ingestObject(context, { ...subject, sequence: message.streamSequence, json: message.text() });
}
