import { startOutboxRelay, type OutboxStore } from '@stechuhr/bus';
import type { Run } from '../../../harness/types.js';
import { publishOutcome } from '../connection.js';
import { madeEvents, type MadeEvent } from '../made-events.js';
import { connectOurBus, logger } from '../our-bus.js';

const NEVER_MS = 3_600_000;

/** The relay from an outbox to the bus; a store in memory stands for the database. */
export const run: Run = async (input) => {
  const bus = await connectOurBus(input);
  const { events, filterSubject } = madeEvents(input.size);
  const startedAt = performance.now();
  const relay = startOutboxRelay({ stores: [storeOf(events)], bus, logger, sweepMs: NEVER_MS });
  await relay.flush();
  const ms = performance.now() - startedAt;
  await relay.stop();
  await bus.close();
  return publishOutcome(input, filterSubject, ms);
};

function storeOf(events: readonly MadeEvent[]): OutboxStore {
  let published = 0;
  return {
    name: 'memory',
    count: async () => events.length - published,
    pending: async (limit) =>
      events.slice(published, published + limit).map(({ event }) => ({ docId: event.subject, events: [event], isDeleted: false })),
    async published(documents) {
      published += documents.length;
    },
  };
}
