import type { Fields, KindName } from './kind.js';

/** Kinds with one document per record; tracked time is stored in month documents. */
export type DocumentKind = Exclude<KindName, 'workday' | 'workmonth'>;

/**
 * `leaving`: deleted for all readers, while its dependent records are still being removed; `gone`: deleted, and kept only for the events in its
 * outbox.
 */
export type RecordState = 'present' | 'leaving' | 'gone';

export interface StoredRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly state: RecordState;
  /** Whether the outbox of the document contains events that have not been published. */
  readonly eventsWait: boolean;
  /** Grows with every write. Each write names the version that it replaces. */
  readonly version: number;
  /** Stream position of the last live object that was written to it. */
  readonly sequence: number | undefined;
  readonly fields: Fields;
}
