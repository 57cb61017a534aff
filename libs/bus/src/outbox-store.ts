import type { CloudEvent } from '@stechuhr/contracts';

/** An event that this process has made, as it is looked for. */
export interface OwnEvent {
  readonly id: string;
  readonly institutionId: string;
}

/** A document with events that wait. */
export interface PendingDocument {
  readonly docId: string;
  /** Undefined in a document that belongs to none. */
  readonly institutionId: string | undefined;
  /** In the order of the writes; never empty. */
  readonly events: CloudEvent[];
  /** A deleted document is removed with its last event. */
  readonly isDeleted: boolean;
}

/** Events that a write has put into a document. */
export interface WrittenEvents {
  readonly events: readonly CloudEvent[];
  /** Where nothing else waits in the document, as when the write created it: they are published without reading them back. */
  readonly alone?: Pick<PendingDocument, 'docId' | 'institutionId'>;
}

/** What the bus has stored of a document. */
export interface PublishedDocument extends Pick<PendingDocument, 'docId' | 'institutionId' | 'isDeleted'> {
  readonly eventIds: string[];
}

/** Ids of events: those above `after`, up to and including `upTo`. */
export interface IdRange {
  readonly after: string;
  readonly upTo: string;
}

/** Hands out the ids of a range in slices, of which each belongs to one process until it is done or its lease has run out. */
export interface SliceClaims {
  /**
   * The next slice; undefined when there is none now.
   *
   * @param name of the range
   * @param lastAfter the id at which a slice ends that begins after the given one; undefined behind the last
   */
  take(name: string, lastAfter: (after: string) => Promise<string | undefined>): Promise<(IdRange & { done(): Promise<void> }) | undefined>;
}

/** A store in which events wait next to the state that they are about; `outboxOf` of libs/mongo makes one of a collection. */
export interface OutboxStore {
  readonly name: string;
  /** The documents in which one of these events waits. */
  holding(events: readonly OwnEvent[]): Promise<PendingDocument[]>;
  /** Some documents with an event in the range; about in the order of ids. */
  within(range: IdRange, limit: number): Promise<PendingDocument[]>;
  /** The ids of all events of such documents, without reading the events. */
  idsWithin(range: IdRange, limit: number): Promise<readonly (readonly string[])[]>;
  /** Removes events that the bus has stored, of many documents in one write, since separate writes are expensive. */
  published(documents: readonly PublishedDocument[]): Promise<void>;
  /** How many documents have waiting events. */
  count(): Promise<number>;
}
