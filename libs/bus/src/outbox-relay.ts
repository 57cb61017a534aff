import type { CloudEvent } from '@stechuhr/contracts';
import type { Logger } from '@stechuhr/kernel';
import type { Bus } from './connect.js';
import { subjectOf } from './create-event.js';
import { outboxAge } from './metrics.js';
import { createWindow } from './window.js';

/** A place where events wait next to the state that they tell of; `outboxOf` of libs/mongo makes one of a collection. */
export interface OutboxStore {
  readonly name: string;
  /** Some documents with waiting events. */
  pending(limit: number): Promise<{ docId: string; events: CloudEvent[] }[]>;
  /** Removes events that the bus has stored. */
  published(docId: string, eventIds: string[]): Promise<void>;
}

/** What {@link startOutboxRelay} needs. */
export interface OutboxRelayOptions {
  readonly stores: readonly OutboxStore[];
  readonly bus: Pick<Bus, 'publish' | 'isConnected'>;
  readonly logger: Logger;
  /** How often the stores are searched without being told, in milliseconds. */
  readonly sweepMs: number;
}

/** Carries events from the outboxes to the bus. Any number of relays may run over the same stores. */
export interface OutboxRelay {
  /** Says that an event was written, to the store of that name or to any; returns at once. */
  notify(store?: string): void;
  /** Publishes what waits now; resolves also when the bus is away, the events then stay where they are. */
  flush(): Promise<void>;
  /** Publishes what waits, for at most 5 s, and ends. */
  stop(): Promise<void>;
}

const DOCUMENTS_AT_A_TIME = 200;
/** More would take every connection to the database away from those who wait for an answer. */
const DOCUMENTS_IN_FLIGHT = 16;
const LAST_FLUSH_MS = 5_000;

/** Starts the relay with a sweep, which finds what a crashed process left behind. */
export function startOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const runs = new Map(options.stores.map((store) => [store.name, coalesce(() => empty(store, options))]));
  const flush = async () => {
    await Promise.all([...runs.values()].map((run) => run()));
  };
  const notify = (store?: string) => void (store === undefined ? flush() : runs.get(store)?.());
  const sweep = setInterval(notify, options.sweepMs);
  notify();
  return {
    notify,
    flush,
    async stop() {
      clearInterval(sweep);
      const limit = new Promise<void>((resolve) => setTimeout(resolve, LAST_FLUSH_MS).unref());
      await Promise.race([flush(), limit]);
    },
  };
}

/** One run at a time. Whoever asks meanwhile shares the one after it: the present run may have looked too early. */
function coalesce(task: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    if (current === undefined) {
      current = task().finally(() => (current = undefined));
      return current;
    }
    next ??= current.then(() => {
      next = undefined;
      return run();
    });
    return next;
  };
  return run;
}

/** Publishes until the store is empty or nothing moves any more. Never rejects. */
async function empty(store: OutboxStore, { bus, logger }: OutboxRelayOptions): Promise<void> {
  try {
    for (let more = true; more && bus.isConnected();) {
      const found = await store.pending(DOCUMENTS_AT_A_TIME);
      outboxAge.record(ageOf(found), { store: store.name });
      const window = createWindow(DOCUMENTS_IN_FLIGHT);
      const outcomes = await Promise.allSettled(found.map((document) => window(() => carry(store, bus, document))));
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) logger.warn({ err: failed.reason, store: store.name }, 'events wait in the outbox');
      more = found.length === DOCUMENTS_AT_A_TIME && outcomes.some((outcome) => outcome.status === 'fulfilled');
    }
  } catch (caught) {
    logger.warn({ err: caught, store: store.name }, 'an outbox could not be read');
  }
}

/** The events of one document keep their order; those behind one that failed wait with it. */
async function carry(store: OutboxStore, bus: Pick<Bus, 'publish'>, document: { docId: string; events: CloudEvent[] }): Promise<void> {
  const sent: string[] = [];
  try {
    for (const event of document.events) {
      const cause = event.traceparent === undefined ? {} : { traceparent: event.traceparent };
      await bus.publish(subjectOf(event), JSON.stringify(event), { msgId: event.id, ...cause });
      sent.push(event.id);
    }
  } finally {
    if (sent.length > 0) await store.published(document.docId, sent);
  }
}

function ageOf(found: readonly { events: CloudEvent[] }[]): number {
  const now = Date.now();
  return found.flatMap(({ events }) => events).reduce((age, { time }) => Math.max(age, (now - Date.parse(time)) / 1000), 0);
}
