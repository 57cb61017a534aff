import type { CloudEvent } from '@stechuhr/contracts';
import { firstIdAt } from '@stechuhr/kernel';
import type { OwnEvent, PendingDocument } from './outbox-store.js';

interface Expected extends OwnEvent {
  /** Undefined while it is not known where it is written. */
  readonly store: string | undefined;
}

/** More are left to the sweep. */
const MOST = 20_000;

/**
 * The events that this process has made and has to publish. The process of a document's first event publishes all events of the document:
 * so no two processes publish the same one, and the order is kept.
 */
export class OwnEvents {
  private readonly expected = new Map<string, Expected>();
  /** By store: documents in which only what this process wrote waits. */
  private readonly alone = new Map<string, PendingDocument[]>();

  /** @param keptMs how long after it was made an event is expected; then the sweep is responsible for it */
  constructor(private readonly keptMs: number) {}

  add({ id, institutionid: institutionId }: Pick<CloudEvent, 'id' | 'institutionid'>, store?: string): void {
    if (this.expected.size >= MOST) this.forgetOld();
    if (this.expected.size < MOST) this.expected.set(id, { id, institutionId, store });
  }

  /** Adds all events of a document of a store, in which nothing else waits. */
  addAlone(document: PendingDocument, store: string): void {
    for (const event of document.events) this.add(event, store);
    // What there was no room for is left to the sweep, with everything that is written behind it.
    if (document.events.some(({ id }) => !this.expected.has(id))) return;
    const ofStore = this.alone.get(store);
    if (ofStore === undefined) this.alone.set(store, [document]);
    else ofStore.push(document);
  }

  /** The documents of those that it publishes, each once: what of them is still expected afterwards has to be looked for in the store. */
  takeAlone(store: string): readonly PendingDocument[] {
    const documents = this.alone.get(store) ?? [];
    this.alone.delete(store);
    return documents.filter(({ events: [first] }) => first !== undefined && this.leads(first.id));
  }

  /** Whether this process publishes the document that begins with the event. */
  leads(id: string): boolean {
    return this.expected.has(id) && id >= this.firstKept();
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) this.expected.delete(id);
  }

  /** Those that are, or may be, in the store. */
  expectedIn(store: string): OwnEvent[] {
    this.forgetOld();
    return [...this.expected.values()].filter((event) => event.store === undefined || event.store === store);
  }

  /** Forgets what was not found where it had been written: somebody else has published it, or it lost its compare-and-set. */
  notFound(ids: readonly string[], store: string): void {
    for (const id of ids) if (this.expected.get(id)?.store === store) this.expected.delete(id);
  }

  private forgetOld(): void {
    const first = this.firstKept();
    for (const id of this.expected.keys()) if (id < first) this.expected.delete(id);
  }

  private firstKept(): string {
    return firstIdAt(Date.now() - this.keptMs);
  }
}
