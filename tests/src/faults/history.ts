/** What a client knows about a write: it was acknowledged, it was refused (so nothing may have changed), or the outcome is unknown. */
export type WriteOutcome = 'acknowledged' | 'refused' | 'unknown';

/** The kind of the written record. */
export type Kind = 'employee' | 'project' | 'rule' | 'suppression' | 'task' | 'autofill' | 'photo';

/** A write of a client. All writes of a key are made sequentially by the same client. */
export interface Write {
  readonly kind: Kind;
  /** Identifies the record for the client, before the platform has assigned an id. */
  readonly key: string;
  /** The value after the write; null after a deletion. */
  readonly value: string | null;
  readonly outcome: WriteOutcome;
  /** The id of the record, if the client knows it. */
  readonly id?: string | undefined;
}

/** A response of the API. */
export interface Answered {
  readonly client: string;
  /** Status code; 0 if the connection broke. */
  readonly status: number;
  readonly ms: number;
  /** Body of a failure. */
  readonly text?: string;
}

/** Everything that clients observed during a scenario. */
export class History {
  readonly writes: Write[] = [];
  readonly answers: Answered[] = [];
  /** Responses that seemed complete but had wrong content. */
  readonly wrong: string[] = [];
  /** Ids of deleted employees, and unique words in their records. */
  readonly deletedPeople: { readonly id: string; readonly word: string }[] = [];

  write(write: Write): void {
    this.writes.push(write);
  }

  /** Returns whether a client may change this record again. After an unknown outcome the write may still be in progress. */
  isSure(kind: Kind, key: string): boolean {
    return !this.writes.some((write) => write.kind === kind && write.key === key && write.outcome === 'unknown');
  }
}
