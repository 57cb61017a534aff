import { activeTraceparent, deletionConsumers, readEvent, type ConsumeOptions } from '@stechuhr/bus';
import { streams } from '@stechuhr/contracts';
import type { Clock } from '@stechuhr/kernel';
import type { Stores } from '@stechuhr/mongo';
import { removeInstitution } from '../operations/manage-webhooks.js';
import type { Ports } from '../operations/ports.js';
import { recordEvent } from '../operations/record-event.js';

/** High, because events wait for a lookup and for writes that they share. */
const CONCURRENCY = 256;
/** The rest is reserved for other institutions. */
const CONCURRENCY_PER_INSTITUTION = (CONCURRENCY * 3) / 4;
/** Events wait in this process so that those of other institutions are found behind them. */
const READ_AHEAD = 24_000;
const DELIVERIES = 20;

/** Returns the factory of events about webhooks. */
export function webhookEvents(clock: Clock, { createEvent }: Pick<Stores<unknown>, 'createEvent'>): Ports['event'] {
  return (type, { id, institutionId }, more = {}) => createEvent({ type, institutionId, data: { id, ...more }, clock });
}

/** Returns the consumer that creates deliveries for every event of the platform. */
export function eventConsumer(ports: Ports): ConsumeOptions {
  return {
    stream: streams.events.name,
    durable: 'webhooks-events',
    filterSubject: 'stechuhr.events.>',
    concurrency: CONCURRENCY,
    perInstitution: CONCURRENCY_PER_INSTITUTION,
    readAhead: READ_AHEAD,
    deadLetter: 'webhooks',
    maxAttempts: DELIVERIES,
    async handler(message) {
      const { id, institutionid: institutionId, type: versioned, time, traceparent: cause, data } = readEvent(message);
      const type = versioned.replace(/^stechuhr\.|\.v\d+$/g, '');
      const storedAt = message.storedAt.getTime();
      const traceparent = activeTraceparent() ?? cause;
      await recordEvent(ports, { id, institutionId, type, time, storedAt, traceparent, data });
    },
  };
}

/** Returns the consumers that delete webhooks and deliveries of deleted institutions. */
export function institutionDeletedConsumers(ports: Ports): readonly ConsumeOptions[] {
  return deletionConsumers({
    service: 'webhooks',
    kind: 'institution',
    handler: (deletion) => removeInstitution(ports, deletion),
  });
}
