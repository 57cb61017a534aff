import type { CloudEvent } from '@stechuhr/contracts';

/** An event of this process, in the form in which it is looked up. */
export interface OwnEvent {
  readonly id: string;
  readonly institutionId: string;
}

/** A document with unpublished events. */
export interface PendingDocument {
  readonly docId: string;
  /** Undefined for a document without one. */
  readonly institutionId: string | undefined;
  /** In the order of the writes; never empty. */
  readonly events: CloudEvent[];
  /** A deleted document is removed with its last event. */
  readonly isDeleted: boolean;
}

/** Events that a write has added to a document. */
export interface WrittenEvents {
  readonly events: readonly CloudEvent[];
  /**
   * Set if the document contains no other events, for example because the write created it: the events are then published without reading them back.
   */
  readonly alone?: Pick<PendingDocument, 'docId' | 'institutionId'>;
}

/** The events of a document that were published. */
export interface PublishedDocument extends Pick<PendingDocument, 'docId' | 'institutionId' | 'isDeleted'> {
  readonly eventIds: string[];
}

/** A range of event ids: above `after`, up to and including `upTo`. */
export interface IdRange {
  readonly after: string;
  readonly upTo: string;
}

/** Divides a range of ids into slices, each of which belongs to one process until it is done or its lease expires. */
export interface SliceClaims {
  /**
   * The next slice; undefined if there is none now.
   * @param name of the range
   * @param lastAfter returns the last id of a slice that begins after the given id; undefined at the end of the range
   */
  take(name: string, lastAfter: (after: string) => Promise<string | undefined>): Promise<(IdRange & { done(): Promise<void> }) | undefined>;
}

/** A store with unpublished events next to the data that they are about; `outboxOf` of libs/mongo creates one for a collection. */
export interface OutboxStore {
  readonly name: string;
  /** The documents that contain one of these unpublished events. */
  holding(events: readonly OwnEvent[]): Promise<PendingDocument[]>;
  /** Some documents with an event in the range, ordered by the first of these; those of several shards only within each shard. */
  within(range: IdRange, limit: number): Promise<PendingDocument[]>;
  /** The ids of all events of such documents, without reading the events themselves. */
  idsWithin(range: IdRange, limit: number): Promise<readonly (readonly string[])[]>;
  /** Removes published events, of many documents in one write, since separate writes are expensive. */
  published(documents: readonly PublishedDocument[]): Promise<void>;
  /** The number of documents with unpublished events; counts no more than 100,000. */
  count(): Promise<number>;
}
