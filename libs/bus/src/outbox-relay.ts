import type { CloudEvent } from '@stechuhr/contracts';
import { firstIdAt, startPeriodic, type Logger, type Periodic } from '@stechuhr/kernel';
import type { Bus } from './connect.js';
import { subjectOf } from './create-event.js';
import { queuesOfDeletion } from './deletions.js';
import { observeOutboxes, type Waiting } from './metrics.js';
import type { IdRange, OutboxStore, OwnEvent, PendingDocument, PublishedDocument, SliceClaims, WrittenEvents } from './outbox-store.js';
import { OwnEvents } from './own-events.js';

/** What {@link startOutboxRelay} needs. */
export interface OutboxRelayOptions {
  readonly stores: readonly OutboxStore[];
  /** By which the relays of all processes share the sweep. */
  readonly claims: SliceClaims;
  readonly bus: Pick<Bus, 'publish' | 'isConnected'>;
  readonly logger: Logger;
  /** How often the stores are searched for what stayed behind, in milliseconds. */
  readonly sweepMs: number;
  /** How old an event is that its own process has left behind, in milliseconds. */
  readonly staleMs: number;
}

/**
 * Carries events from the outboxes to the bus. Any number of relays may run over the same stores: each publishes what its own process has
 * written, and they share what stayed behind.
 */
export interface OutboxRelay {
  /** Expects an event that this process is about to write, until the next notification. */
  expect(event: CloudEvent): void;
  /**
   * Notifies the relay that events were written, in the store of that name, or in any; returns at once. Without `written` those that it was
   * told to expect.
   */
  notify(): void;
  notify(store: string, written: readonly WrittenEvents[]): void;
  /** Publishes now what this process has written; also resolves when the bus is unavailable; the events then stay where they are. */
  flush(): Promise<void>;
  /** Publishes what this process has written, for at most 5 s, and ends. */
  stop(): Promise<void>;
}

const DOCUMENTS_AT_A_TIME = 200;
/** A claim costs round trips, and processes that claim at the same time lose some: a slice is the work of a second. */
const DOCUMENTS_A_SLICE = 1_000;
/** Of a lease of 30 s: who is slower than that gives the rest back. */
const LONGEST_SLICE_MS = 10_000;
const LAST_FLUSH_MS = 5_000;
/** First and longest pause before a document is looked at again whose first event another process is about to publish. */
const BEHIND_ANOTHER_MS = [20, 640] as const;

/** Starts the relay with a sweep, which finds the events of a crashed process. */
export function startOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  // Some time before the others take it for left behind: what is being published then must not be published by them as well.
  const own = new OwnEvents(
    options.stores.map(({ name }) => name),
    options.staleMs * 0.6,
  );
  const relays = options.stores.map((store) => ({ name: store.name, ...startStore(store, own, options) }));
  const flush = async () => {
    await Promise.all(relays.map(({ carry }) => carry.now()));
  };
  const stopObserving = observeOutboxes(() => Promise.all(options.stores.map(lookAt)));
  return {
    expect: (event) => own.add(event),
    notify(store?: string, written: readonly WrittenEvents[] = []) {
      if (store !== undefined) for (const one of written) expectWritten(own, store, one);
      for (const { name, carry } of relays) if (store === undefined || store === name) void carry.now();
    },
    flush,
    async stop() {
      stopObserving();
      const limit = new Promise<void>((resolve) => setTimeout(resolve, LAST_FLUSH_MS).unref());
      await Promise.race([flush(), limit]);
      const stopped = relays.flatMap(({ carry, sweep }) => [carry.stop(), sweep.stop()]);
      await Promise.race([Promise.all(stopped), limit]);
    },
  };
}

function expectWritten(own: OwnEvents, store: string, { events, alone }: WrittenEvents): void {
  if (alone === undefined) for (const event of events) own.add(event, store);
  else own.addAlone({ ...alone, events: [...events], isDeleted: false }, store);
}

interface StoreRelay {
  /** Publishes what this process has written. */
  readonly carry: Periodic;
  /** Publishes what stayed behind. */
  readonly sweep: Periodic;
}

function startStore(store: OutboxStore, own: OwnEvents, options: OutboxRelayOptions): StoreRelay {
  const { logger, sweepMs: intervalMs } = options;
  const reporting = { logger, intervalMs, failure: 'an outbox could not be read', fields: { store: store.name } };
  let pauseMs: number = BEHIND_ANOTHER_MS[0];
  const carryAgain = async () => {
    if (!(await carryOwn(store, own, options))) return void ([pauseMs] = BEHIND_ANOTHER_MS);
    setTimeout(() => void carry.now(), pauseMs).unref();
    pauseMs = Math.min(pauseMs * 2, BEHIND_ANOTHER_MS[1]);
  };
  const carry = startPeriodic(carryAgain, reporting);
  const sweep = startPeriodic((signal) => sweepStore(store, options, signal), { ...reporting, atOnce: true });
  return { carry, sweep };
}

/** @returns whether an own event waits behind one that another process is about to publish */
async function carryOwn(store: OutboxStore, own: OwnEvents, options: OutboxRelayOptions): Promise<boolean> {
  let isBehindAnother = false;
  for (let left = own.begin(store.name); left > 0;) {
    const { alone, unread, taken } = own.take(store.name, DOCUMENTS_AT_A_TIME);
    left -= taken;
    // The events stay in their outboxes, and the sweep finds them there.
    if (!options.bus.isConnected()) continue;
    const sent = await carryAll(store, alone, options);
    own.remove(sent.flatMap(({ eventIds }) => eventIds));
    isBehindAnother = (await carryUnread(store, own, { ...options, unread })) || isBehindAnother;
  }
  return isBehindAnother;
}

/** Reads the documents of events and publishes them. @returns whether one waits behind an event that another process is about to publish */
async function carryUnread(
  store: OutboxStore,
  own: OwnEvents,
  { unread, ...options }: OutboxRelayOptions & { readonly unread: readonly OwnEvent[] },
): Promise<boolean> {
  const found = unread.length === 0 ? [] : await store.holding(unread);
  const waiting = new Set(found.flatMap(({ events }) => events.map(({ id }) => id)));
  own.notFound(
    unread.map(({ id }) => id).filter((id) => !waiting.has(id)),
    store.name,
  );
  const led = found.filter(({ events: [first] }) => first !== undefined && own.leads(first.id));
  const sent = await carryAll(store, led, options);
  own.remove(sent.flatMap(({ eventIds }) => eventIds));
  return led.length < found.length;
}

const EVERYTHING: IdRange = { after: '', upTo: 'g' };

/**
 * Ids that are not made yet: those of earlier versions, which are in no order, and those of a process whose clock is ahead. While such a
 * process runs, others publish its events as well, under the same ids.
 */
const notMadeYet = (staleMs: number): IdRange => ({ after: firstIdAt(Date.now() + staleMs), upTo: 'g' });

/** Publishes what is left behind, slice by slice, oldest first. */
async function sweepStore(store: OutboxStore, options: OutboxRelayOptions, signal: AbortSignal): Promise<void> {
  const hasAny = async (range: IdRange) => options.bus.isConnected() && (await store.within(range, 1)).length > 0;
  // Mostly there is nothing at all: one query, since each asks every shard.
  if (!(await hasAny(EVERYTHING))) return;
  const ranges = {
    [store.name]: { after: '', upTo: firstIdAt(Date.now() - options.staleMs) },
    [`${store.name}/unordered`]: notMadeYet(options.staleMs),
  };
  for (const [name, { after: from, upTo }] of Object.entries(ranges)) {
    // Without anything to publish nothing needs to be claimed.
    if (!(await hasAny({ after: from, upTo }))) continue;
    const lastAfter = async (after: string) => {
      const bound = after === '' ? from : after;
      return lastBeginning(await store.idsWithin({ after: bound, upTo }, DOCUMENTS_A_SLICE), bound);
    };
    while (!signal.aborted && options.bus.isConnected()) {
      const slice = await options.claims.take(name, lastAfter);
      if (slice === undefined) break;
      await carrySlice(store, slice, options);
      await slice.done();
    }
  }
}

const later = (last: string | undefined, id: string | undefined) => (last === undefined || (id !== undefined && id > last) ? id : last);

/** Returns the last of the ids with which documents begin above a bound; undefined without documents. */
function lastBeginning(found: readonly (readonly string[])[], bound: string): string | undefined {
  return found.map((ids) => firstIdAbove(ids, bound)).reduce<string | undefined>(later, undefined);
}

function firstIdAbove(ids: readonly string[], bound: string): string | undefined {
  return ids.filter((id) => id > bound).sort()[0];
}

/** Publishes what the bus takes of a slice; what is left comes up again when the end was reached. */
async function carrySlice(store: OutboxStore, { after: from, upTo }: IdRange, options: OutboxRelayOptions): Promise<void> {
  const begunAt = performance.now();
  const isLate = () => performance.now() - begunAt >= LONGEST_SLICE_MS;
  // Fewer documents than were asked for need not be all: their events may be large.
  for (let after: string | undefined = from; after !== undefined && options.bus.isConnected() && !isLate();) {
    const bound: string = after;
    const found = await store.within({ after: bound, upTo }, DOCUMENTS_AT_A_TIME);
    // A document belongs to the slice of its first event.
    const led = found.filter(({ events: [first] }) => first !== undefined && first.id > bound && first.id <= upTo);
    const sent = await carryAll(store, led, options);
    // Hundreds of documents whose events the bus refuses, such as deletions for a full queue, must not hold up those behind them.
    if (sent.length === 0)
      after = lastBeginning(
        found.map(({ events }) => events.map(({ id }) => id)),
        bound,
      );
  }
}

/** Publishes the events of documents and takes them out. @returns what was published */
async function carryAll(
  store: OutboxStore,
  documents: readonly PendingDocument[],
  { bus, logger }: OutboxRelayOptions,
): Promise<PublishedDocument[]> {
  const carried = await Promise.all(documents.map((document) => carry(bus, document)));
  const failed = carried.find(({ failure }) => failure !== undefined);
  if (failed) logger.warn({ err: failed.failure, store: store.name }, 'events wait in the outbox');
  const sent = carried.filter(({ eventIds }) => eventIds.length > 0);
  if (sent.length > 0) await store.published(sent);
  return sent;
}

/** The events of one document keep their order; those behind one that failed wait with it. */
async function carry(
  bus: Pick<Bus, 'publish'>,
  { events, ...document }: PendingDocument,
): Promise<PublishedDocument & { readonly failure?: unknown }> {
  const eventIds: string[] = [];
  try {
    for (const event of events) {
      const cause = event.traceparent === undefined ? {} : { traceparent: event.traceparent };
      const payload = JSON.stringify(event);
      // First, and all or none: what is taken out of the outbox has reached every queue.
      for (const { subject, service } of queuesOfDeletion(event))
        await bus.publish(subject, payload, { msgId: `${event.id}:${service}`, ...cause });
      await bus.publish(subjectOf(event), payload, { msgId: event.id, ...cause });
      eventIds.push(event.id);
    }
    return { ...document, eventIds };
  } catch (failure) {
    return { ...document, eventIds, failure };
  }
}

async function lookAt(store: OutboxStore): Promise<Waiting> {
  const [documents, some] = await Promise.all([store.count(), store.within(EVERYTHING, DOCUMENTS_AT_A_TIME)]);
  return { store: store.name, documents, ageSeconds: ageOf(some) };
}

function ageOf(found: readonly { events: CloudEvent[] }[]): number {
  const now = Date.now();
  return found.flatMap(({ events }) => events).reduce((age, { time }) => Math.max(age, (now - Date.parse(time)) / 1000), 0);
}
