import type { CloudEvent } from '@stechuhr/contracts';
import { firstIdAt } from '@stechuhr/kernel';

/** An event that this process has made, as it is looked for. */
export interface OwnEvent {
  readonly id: string;
  readonly institutionId: string;
}

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

  /** @param keptMs how long after it was made an event is expected; then the sweep is responsible for it */
  constructor(private readonly keptMs: number) {}

  add({ id, institutionid: institutionId }: Pick<CloudEvent, 'id' | 'institutionid'>, store?: string): void {
    if (this.expected.size >= MOST) this.forgetOld();
    if (this.expected.size < MOST) this.expected.set(id, { id, institutionId, store });
  }

  /** Whether this process publishes the document that begins with the event. */
  leads(id: string): boolean {
    return this.expected.has(id) && !this.isOld(id);
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
    for (const id of this.expected.keys()) if (this.isOld(id)) this.expected.delete(id);
  }

  private isOld(id: string): boolean {
    return id < firstIdAt(Date.now() - this.keptMs);
  }
}
