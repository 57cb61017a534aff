import type { CloudEvent } from '@stechuhr/contracts';
import { startPeriodic, type Logger } from '@stechuhr/kernel';
import type { Bus } from './connect.js';
import { subjectOf } from './create-event.js';
import { observeOutboxes, type Waiting } from './metrics.js';

/** A document with events that wait. */
interface PendingDocument {
  readonly docId: string;
  readonly events: CloudEvent[];
  /** A deleted document is removed with its last event. */
  readonly isDeleted: boolean;
}

/** What the bus has stored of a document. */
interface PublishedDocument {
  readonly docId: string;
  readonly eventIds: string[];
  readonly isDeleted: boolean;
}

/** A store in which events wait next to the state that they are about; `outboxOf` of libs/mongo makes one of a collection. */
export interface OutboxStore {
  readonly name: string;
  /** Some documents with waiting events. */
  pending(limit: number): Promise<PendingDocument[]>;
  /** Removes events that the bus has stored, of many documents in one write, since separate writes are expensive. */
  published(documents: readonly PublishedDocument[]): Promise<void>;
  /** How many documents have waiting events. */
  count(): Promise<number>;
}

/** What {@link startOutboxRelay} needs. */
export interface OutboxRelayOptions {
  readonly stores: readonly OutboxStore[];
  readonly bus: Pick<Bus, 'publish' | 'isConnected'>;
  readonly logger: Logger;
  /** How often the stores are searched without a notification, in milliseconds. */
  readonly sweepMs: number;
}

/** Carries events from the outboxes to the bus. Any number of relays may run over the same stores. */
export interface OutboxRelay {
  /** Notifies the relay of an event in the store of that name, or in any; returns at once. */
  notify(store?: string): void;
  /** Publishes what waits now; also resolves when the bus is unavailable; the events then stay where they are. */
  flush(): Promise<void>;
  /** Publishes what waits, for at most 5 s, and ends. */
  stop(): Promise<void>;
}

const DOCUMENTS_AT_A_TIME = 200;
const LAST_FLUSH_MS = 5_000;

/** Starts the relay with a sweep, which finds the events of a crashed process. */
export function startOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const { logger, sweepMs: intervalMs } = options;
  const sweeps = new Map(
    options.stores.map((store) => {
      const reporting = { logger, failure: 'an outbox could not be read', fields: { store: store.name } };
      return [store.name, startPeriodic(() => empty(store, options), { intervalMs, atOnce: true, ...reporting })];
    }),
  );
  const flush = async () => {
    await Promise.all([...sweeps.values()].map((sweep) => sweep.now()));
  };
  const stopObserving = observeOutboxes(() => Promise.all(options.stores.map(lookAt)));
  return {
    notify: (store) => void (store === undefined ? flush() : sweeps.get(store)?.now()),
    flush,
    async stop() {
      stopObserving();
      const limit = new Promise<void>((resolve) => setTimeout(resolve, LAST_FLUSH_MS).unref());
      await Promise.race([flush(), limit]);
      await Promise.race([Promise.all([...sweeps.values()].map((sweep) => sweep.stop())), limit]);
    },
  };
}

/** Publishes until the store is empty or nothing moves any more. */
async function empty(store: OutboxStore, { bus, logger }: OutboxRelayOptions): Promise<void> {
  for (let more = true; more && bus.isConnected();) {
    const found = await store.pending(DOCUMENTS_AT_A_TIME);
    const carried = await Promise.all(found.map((document) => carry(bus, document)));
    const failed = carried.find(({ failure }) => failure !== undefined);
    if (failed) logger.warn({ err: failed.failure, store: store.name }, 'events wait in the outbox');
    const sent = carried.filter(({ eventIds }) => eventIds.length > 0);
    if (sent.length > 0) await store.published(sent);
    more = found.length === DOCUMENTS_AT_A_TIME && sent.length > 0;
  }
}

/** The events of one document keep their order; those behind one that failed wait with it. */
async function carry(
  bus: Pick<Bus, 'publish'>,
  { docId, events, isDeleted }: PendingDocument,
): Promise<PublishedDocument & { readonly failure?: unknown }> {
  const eventIds: string[] = [];
  try {
    for (const event of events) {
      const cause = event.traceparent === undefined ? {} : { traceparent: event.traceparent };
      await bus.publish(subjectOf(event), JSON.stringify(event), { msgId: event.id, ...cause });
      eventIds.push(event.id);
    }
    return { docId, eventIds, isDeleted };
  } catch (failure) {
    return { docId, eventIds, isDeleted, failure };
  }
}

async function lookAt(store: OutboxStore): Promise<Waiting> {
  const [documents, some] = await Promise.all([store.count(), store.pending(DOCUMENTS_AT_A_TIME)]);
  return { store: store.name, documents, ageSeconds: ageOf(some) };
}

function ageOf(found: readonly { events: CloudEvent[] }[]): number {
  const now = Date.now();
  return found.flatMap(({ events }) => events).reduce((age, { time }) => Math.max(age, (now - Date.parse(time)) / 1000), 0);
}
