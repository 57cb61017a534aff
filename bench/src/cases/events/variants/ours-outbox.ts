import { startOutboxRelay, type OutboxStore } from '@stechuhr/bus';
import type { CloudEvent } from '@stechuhr/contracts';
import type { Run } from '../../../harness/types.js';
import { publishOutcome } from '../connection.js';
import { madeEvents } from '../made-events.js';
import { connectOurBus, logger } from '../our-bus.js';

const NEVER_MS = 3_600_000;
const BATCH_SIZE = 10_000;

/** Runs the relay from an outbox to the bus. A store in memory replaces the database. */
export const run: Run = async (input) => {
  const bus = await connectOurBus(input);
  const { events, filterSubject } = madeEvents(input.size);
  const startedAt = performance.now();
  const made = events.map(({ event }) => event);
  // The relay needs no claim to publish events of its own process.
  const claims = { take: async () => undefined };
  const relay = startOutboxRelay({ stores: [storeOf(made)], claims, bus, logger, sweepMs: NEVER_MS, staleMs: NEVER_MS });
  // This is the limit of events that may wait in one process.
  for (let at = 0; at < made.length; at += BATCH_SIZE) {
    relay.notify('memory', [{ events: made.slice(at, at + BATCH_SIZE) }]);
    await relay.flush();
  }
  const ms = performance.now() - startedAt;
  await relay.stop();
  await bus.close();
  return publishOutcome(input, filterSubject, ms);
};

function storeOf(events: readonly CloudEvent[]): OutboxStore {
  const waiting = new Map(events.map((event) => [event.id, event]));
  return {
    name: 'memory',
    count: async () => waiting.size,
    within: async () => [],
    idsWithin: async () => [],
    async holding(wanted) {
      const found = wanted.flatMap(({ id }) => waiting.get(id) ?? []);
      return found.map((event) => ({ docId: event.subject, institutionId: event.institutionid, events: [event], isDeleted: false }));
    },
    async published(documents) {
      for (const { eventIds } of documents) for (const id of eventIds) waiting.delete(id);
    },
  };
}
