import type { Fields, KindName } from './kind.js';

/** Kinds with one document per record; tracked time is stored in months. */
export type DocumentKind = Exclude<KindName, 'workday' | 'workmonth'>;

/**
 * `leaving`: deleted for all readers, but its dependent records are still being removed; `gone`: deleted, and only the events in its
 * outbox keep the document.
 */
export type RecordState = 'present' | 'leaving' | 'gone';

export interface StoredRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly state: RecordState;
  /** Whether events wait in it to be published. */
  readonly eventsWait: boolean;
  /** Grows with every write; a write names the version that it follows. */
  readonly version: number;
  /** Stream sequence of the live object that was written last. */
  readonly sequence: number | undefined;
  readonly fields: Fields;
}
