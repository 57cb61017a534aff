import type { CloudEvent } from '@stechuhr/contracts';
import { createFairShares, firstIdAt, TurnQueue, type Share } from '@stechuhr/kernel';
import type { OwnEvent, PendingDocument } from './outbox-store.js';

interface Expected extends OwnEvent {
  /** Undefined while it is not known where it is written. */
  readonly store: string | undefined;
  /** Whether its document waits to be published without being read. */
  isAlone: boolean;
  readonly share: Share;
}

/** What waits to be published, by institution. */
interface Waiting {
  /** Documents in which only what this process wrote waits. */
  readonly alone: TurnQueue<PendingDocument>;
  /** Events whose documents have to be read. */
  readonly unread: TurnQueue<Expected>;
}

/** What is published next. */
interface Taken {
  readonly alone: readonly PendingDocument[];
  readonly unread: readonly OwnEvent[];
  /** How many documents and events were taken, with those that another process publishes. */
  readonly taken: number;
}

/** More are left to the sweep. */
const MOST = 20_000;
/** About as many as are published in a few tenths of a second. */
const EVENTS_AT_A_TIME = 1_000;

/**
 * The events that this process has made and has to publish. The process of a document's first event publishes all events of the document:
 * so no two processes publish the same one, and the order is kept. Institutions take turns, so that thousands of events of one, for example those of
 * an import, delay those of others by one turn only.
 */
export class OwnEvents {
  private readonly expected = new Map<string, Expected>();
  /** An institution has as many as there is room for others at most: so there always is some, however many are busy. */
  private readonly room = createFairShares(MOST);
  private readonly waiting: ReadonlyMap<string, Waiting>;

  /**
   * @param stores the names of all stores
   * @param keptMs how long after it was made an event is expected; then the sweep is responsible for it
   */
  constructor(
    stores: readonly string[],
    private readonly keptMs: number,
  ) {
    this.waiting = new Map(stores.map((store) => [store, { alone: new TurnQueue(), unread: new TurnQueue() }]));
  }

  /** Adds an event; without a store it may be in any. */
  add(event: Pick<CloudEvent, 'id' | 'institutionid'>, store?: string): void {
    const added = this.expect(event, { store, isAlone: false });
    if (added === undefined) return;
    for (const [name, { unread }] of this.waiting) if (store === undefined || store === name) unread.add(added.institutionId, added);
  }

  /** Adds all events of a document of a store, in which nothing else waits. */
  addAlone(document: PendingDocument, store: string): void {
    const { alone, unread } = this.waitingIn(store);
    const added = document.events.map((event) => this.expect(event, { store, isAlone: true }));
    if (!added.includes(undefined)) return alone.add(document.institutionId ?? '', document);
    // What there was no room for is left to the sweep, with everything that is written behind it.
    for (const one of added.filter((event) => event !== undefined)) {
      one.isAlone = false;
      unread.add(one.institutionId, one);
    }
  }

  /**
   * Begins a pass over what waits in a store, including what an earlier pass could not publish.
   * @returns how much there is; `take` prefers what is added meanwhile by institutions of which less waits
   */
  begin(store: string): number {
    this.forgetOld();
    const { alone, unread } = this.waitingIn(store);
    unread.clear();
    for (const event of this.expected.values())
      if (!event.isAlone && (event.store === undefined || event.store === store)) unread.add(event.institutionId, event);
    return alone.size + unread.size;
  }

  /**
   * Takes what is published next, until nothing waits: documents that need not be read, and events that have to be looked for. What is still expected
   * afterwards is taken again in the next pass.
   */
  take(store: string, limit: number): Taken {
    const { alone: documents, unread: events } = this.waitingIn(store);
    const before = documents.size + events.size;
    const alone = this.takeAlone(documents, limit);
    for (const { id } of alone.flatMap((document) => document.events)) {
      const event = this.expected.get(id);
      if (event !== undefined) event.isAlone = false;
    }
    const unread = events.take(limit).filter(({ id }) => this.leads(id));
    return { alone, unread, taken: before - documents.size - events.size };
  }

  /** Whether this process publishes the document that begins with the event. */
  leads(id: string): boolean {
    return this.expected.has(id) && id >= this.firstKept();
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) this.forget(id);
  }

  /** Forgets what was not found where it had been written: somebody else has published it, or it lost its compare-and-set. */
  notFound(ids: readonly string[], store: string): void {
    for (const id of ids) if (this.expected.get(id)?.store === store) this.forget(id);
  }

  /** A document may have hundreds of events, for which those of other institutions would wait. */
  private takeAlone(waiting: TurnQueue<PendingDocument>, limit: number): readonly PendingDocument[] {
    const taken: PendingDocument[] = [];
    for (let events = 0; taken.length < limit && events < EVENTS_AT_A_TIME && waiting.size > 0;) {
      const led = waiting.take(1).filter(({ events: [first] }) => first !== undefined && this.leads(first.id));
      taken.push(...led);
      events += led.reduce((sum, document) => sum + document.events.length, 0);
    }
    return taken;
  }

  private waitingIn(store: string): Waiting {
    const waiting = this.waiting.get(store);
    if (waiting === undefined) throw new Error(`There is no store ${store}.`);
    return waiting;
  }

  private expect(
    { id, institutionid: institutionId }: Pick<CloudEvent, 'id' | 'institutionid'>,
    how: Pick<Expected, 'store' | 'isAlone'>,
  ): Expected | undefined {
    // It may have been expected before it was known where it is written.
    this.forget(id);
    const share = this.room.open(institutionId);
    if (!share.add(1)) {
      this.forgetOld();
      if (!share.add(1)) return undefined;
    }
    const event = { id, institutionId, share, ...how };
    this.expected.set(id, event);
    return event;
  }

  private forget(id: string): void {
    this.expected.get(id)?.share.release();
    this.expected.delete(id);
  }

  /** Those that were made first are first, apart from some that were made at the same time. */
  private forgetOld(): void {
    const first = this.firstKept();
    for (const id of this.expected.keys()) {
      if (id >= first) return;
      this.forget(id);
    }
  }

  private firstKept(): string {
    return firstIdAt(Date.now() - this.keptMs);
  }
}
